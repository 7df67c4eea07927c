// SPDX-License-Identifier: Apache-2.0
//
// One search on recorded curves: the loop asks, the table answers.
#pragma once

#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "curves/curve_table.h"
#include "decide/loop.h"
#include "decide/policy.h"
#include "decide/utility.h"

namespace cmbo::replay {

inline constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

// One epoch of one configuration: what was known when it was chosen, and what came of it. NaN where
// a policy does not say.
struct StepRecord {
  double configuration = 0;
  double epoch = 0;                    // 1..T
  double value = 0;                    // normalized
  double best = 0;                     // of all steps up to this one
  double utility = 0;                  // of stopping after this step
  double regret = 0;                   // normalized, of the same
  double acquisition = kUnknown;       // of the chosen configuration
  double horizon = kUnknown;           // its best Δt as the policy saw it
  double probability = kUnknown;       // of an improvement
  double threshold = kUnknown;         // delta_b
  double estimated_regret = kUnknown;  // what the paper's rule compares with it
  double look_gain = kUnknown;         // of the look that was worth most
  double look_price = kUnknown;
  double reachable_regret = kUnknown;   // the least that going on with it could bring
  double reachable_horizon = kUnknown;  // and the Δt that brings it
};

// The members of a StepRecord and what files call them.
struct StepColumn {
  const char* name;
  double StepRecord::*member;
};
std::span<const StepColumn> step_columns();

struct RunOutcome {
  std::vector<StepRecord> steps;     // at least one
  std::optional<size_t> stopped_at;  // after how many steps the rule said stop for the first time
  std::string reason;                // why the run ended
  size_t decisions = 0;
  double decision_seconds = 0.0;  // in all

  double regret() const { return steps.back().regret; }
  // After how many steps stopping has the least regret, and that regret.
  size_t best_stop() const;
  double best_on_path() const { return steps[best_stop() - 1].regret; }
};

struct RunSettings {
  const curves::CurveTable& table;  // all curves reach the last epoch; at least one configuration
  const decide::Utility& utility;
  decide::LoopOptions loop;  // with stopping disabled it runs to the budget
  const Clock& clock;
  std::function<bool()> proceed;  // asked before every decision; false cancels the run
};

// nullopt if it was cancelled.
Result<std::optional<RunOutcome>> run(const RunSettings& settings, decide::Policy& policy);

}  // namespace cmbo::replay
