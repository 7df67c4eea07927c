// SPDX-License-Identifier: Apache-2.0
//
// Runs as a table for other programs.
#pragma once

#include <span>
#include <string>

#include "replay/run_log.h"

namespace cmbo::replay {

// CSV, one line for each step of each run, under a header; an empty cell is not known. `stopped` is
// 1 at the step after which the stopping rule said stop for the first time.
std::string trajectories_csv(std::span<const RunRecord* const> runs);

}  // namespace cmbo::replay
