// SPDX-License-Identifier: Apache-2.0
//
// How far a result is from the best that was possible on a recorded task:
//
//   regret(U) = (U_max - U) / (U_max - U_min)
//   U_max = max over n, t of U(t, max over s <= t of y_{n,s})   one single configuration, in time
//   U_min = U(B, min over n of y_{n,1})                         the budget spent for the worst
//   start
//
// No run can beat U_max: whatever it holds was reached by some configuration alone, and earlier.
#pragma once

#include "curves/curve_table.h"
#include "decide/utility.h"

namespace cmbo::replay {

struct RegretScale {
  double best = 1.0;   // U_max
  double worst = 0.0;  // U_min

  // 0 where best and worst are the same.
  double operator()(double utility) const;
};

// Of a table with at least one configuration; epochs beyond the budget do not count.
RegretScale regret_scale(const curves::CurveTable& table, const decide::Utility& utility,
                         double budget);

// Where one configuration stands in a run.
struct Standing {
  uint32_t configuration = 0;
  uint32_t epochs = 0;  // trained so far, less than the horizon
  size_t steps = 0;     // of the whole run so far
  float best = 0.0F;    // of the whole run so far
};

// The most that going on with a configuration can still bring, by its recorded future.
struct Reach {
  double utility = 0.0;
  uint32_t horizon = 0;  // Δt: further epochs after the next one, the fewest that bring it
};

Reach reachable(const curves::CurveTable& table, const decide::Utility& utility, double budget,
                const Standing& standing);

}  // namespace cmbo::replay
