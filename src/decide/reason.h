// SPDX-License-Identifier: Apache-2.0
//
// Decisions in one sentence for a person.
#pragma once

#include <string>

#include "decide/policy.h"
#include "decide/stopping.h"

namespace cmbo::decide {

std::string reason_to_go_on(const Choice& choice, bool first_epoch);
// Where should_stop() says so. `shortfall`: how far the utility is below its best.
std::string reason_to_stop(const StoppingRule& rule, const Choice& choice,
                           const StoppingEvidence& evidence, double shortfall);
std::string reason_budget(double budget, double spent);
std::string reason_finished();

}  // namespace cmbo::decide
