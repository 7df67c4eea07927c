// SPDX-License-Identifier: Apache-2.0
//
// Pictures of replayed runs.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "replay/run_log.h"

namespace cmbo::replay {

struct Picture {
  std::string file;  // a name without directory
  std::string svg;
};

// Nothing that could leave a directory or upset a shell.
std::string picture_file(std::string name);

// For every benchmark and alpha:
//   regret-…   normalized regret over steps, mean over runs, one line for each method, and where
//              the stopping rule stopped them; a run that ended keeps its last regret
//   choices-…  what the chosen configurations could still have brought: least reachable regret and
//              the Δt that brings it, mean over runs that are still going
//   chosen-…   for every task: epochs of the ten most chosen configurations over steps, a panel for
//              each method, of its first seed
//   trained-…  for every method and task: which configurations were trained when, and to what
//              value, in the run of its first seed
// And for every benchmark with runs that went on to their budget:
//   stops-…    regret at the stop for other values of beta, one line for each alpha; dashed, by the
//              rule of the look
// Fails if two runs differ in their conditions only: a line must not mix them.
Result<std::vector<Picture>> draw_figures(std::span<const RunRecord> runs);

}  // namespace cmbo::replay
