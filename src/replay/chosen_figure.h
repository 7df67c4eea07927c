// SPDX-License-Identifier: Apache-2.0
//
// Which configurations a run spent its steps on.
#pragma once

#include <span>
#include <string>

#include "replay/run_log.h"

namespace cmbo::replay {

// A panel for each run: epochs of its ten most chosen configurations over steps.
std::string chosen_svg(const std::string& task, double alpha,
                       std::span<const RunRecord* const> runs);

}  // namespace cmbo::replay
