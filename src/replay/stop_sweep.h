// SPDX-License-Identifier: Apache-2.0
//
// What other stopping rules would have come to. A run that went on to its budget holds everything a
// rule looks at, so any rule can be tried on it afterwards: the path up to the stop is the same.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "decide/stopping.h"
#include "replay/run_log.h"

namespace cmbo::replay {

struct NamedRule {
  std::string name;
  decide::StoppingRule rule;
};

inline constexpr const char* kLookRule = "look";  // the name of the rule of the look
// The paper's rule for beta from 0 to infinity, and the rule of the look.
std::vector<NamedRule> rules_to_sweep();

// Whether a run can be swept: it did not stop by itself and its policy gave probabilities.
bool can_be_swept(const RunRecord& run);

// After how many steps `rule` stops the run; all of them if it never does.
size_t steps_until_stop(const RunRecord& run, const decide::StoppingRule& rule);

// Means over the runs of a benchmark, method and alpha.
struct SweptStop {
  std::string benchmark, method;
  double alpha = 0.0;
  std::string rule = {};
  std::optional<double> beta = {};  // of the paper's rule
  double regret = 0.0;              // at the stop
  double steps = 0.0;               // until then
};

// Every rule, then "best on path", which knows the future; each group in the order in which it
// first appears. Runs that cannot be swept are left out.
std::vector<SweptStop> sweep_stops(std::span<const RunRecord> runs);

}  // namespace cmbo::replay
