// SPDX-License-Identifier: Apache-2.0
//
// Runs put together as they are reported: by benchmark and alpha, then by method.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "replay/run_log.h"

namespace cmbo::replay {

using Runs = std::vector<const RunRecord*>;

// Methods in the order of their first appearance.
struct Group {
  std::string benchmark;
  double alpha = 0.0;
  std::vector<std::pair<std::string, Runs>> methods;
};

// Groups in the order of their first appearance; they point into `runs`.
std::vector<Group> group_runs(std::span<const RunRecord> runs);

}  // namespace cmbo::replay
