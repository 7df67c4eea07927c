// SPDX-License-Identifier: Apache-2.0
//
// Which configurations a run spent its steps on.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "replay/run_log.h"

namespace cmbo::replay {

// The configurations with the most steps, the most first; of equal ones the earlier. At most
// `count`.
std::vector<double> most_chosen(std::span<const StepRecord> steps, size_t count);

// A panel for each run: epochs of its ten most chosen configurations over steps.
std::string chosen_svg(const std::string& task, double alpha,
                       std::span<const RunRecord* const> runs);

}  // namespace cmbo::replay
