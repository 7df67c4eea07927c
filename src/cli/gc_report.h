// SPDX-License-Identifier: Apache-2.0
//
// `cmbo gc`: which checkpoints would go, and what that gives up.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cli/study_view.h"
#include "study/eviction.h"
#include "study/records.h"

namespace cmbo::cli {

// Of each trial, the expected gain of going on as of the last decision that weighed any; 0 for
// those that were not among its best, empty if there is no such decision.
std::vector<double> gains_of(const study::Facts& facts,
                             std::span<const study::DecisionRecord> decisions);

std::string evictions_to_text(const StudyView& view, const study::EvictionPlan& plan, bool dry_run,
                              size_t width);
Json evictions_to_json(const StudyView& view, const study::EvictionPlan& plan, bool dry_run);

}  // namespace cmbo::cli
