// SPDX-License-Identifier: Apache-2.0
//
// Pools on which a method that learns can be told from one that does not.
#pragma once

#include <cmath>
#include <functional>
#include <memory>

#include "base/random.h"
#include "curves/curve_table.h"
#include "decide/loop.h"

namespace cmbo::baselines {

// Curves of 2-dimensional configurations that rise to 0.9 minus the squared distance to (0.7, 0.3);
// every eighth diverges halfway if wanted.
inline curves::CurveTable hill_table(size_t count, size_t horizon, bool diverging = false) {
  Random random(11);
  curves::CurveTable table;
  table.dimensions = 2;
  table.horizon = horizon;
  for (size_t n = 0; n < count; ++n) {
    const curves::CurveTable::Row row = table.add(horizon);
    row.x[0] = static_cast<float>(random.uniform());
    row.x[1] = static_cast<float>(random.uniform());
    const float a = row.x[0] - 0.7F, b = row.x[1] - 0.3F;
    const float end = 0.9F - std::min(0.8F, a * a + b * b);
    for (size_t t = 0; t < horizon; ++t) {
      const bool diverged = diverging && n % 8 == 0 && 2 * t >= horizon;
      row.y[t] = diverged ? 0.0F : end * (1.0F - 0.5F / static_cast<float>(t + 1));
    }
  }
  return table;
}

// The chosen configurations of a run to the budget.
inline std::vector<uint32_t> run_of(decide::Policy& policy, const curves::CurveTable& table,
                                    double budget) {
  decide::LoopOptions options;
  options.budget = budget;
  options.stopping.enabled = false;
  decide::Loop loop(table, decide::Utility::linear(0.0).value(), options, policy);
  std::vector<uint32_t> chosen;
  for (;;) {
    const decide::Decision decision = loop.ask().value();
    if (decision.stop) return chosen;
    const uint32_t n = decision.choice.configuration;
    loop.tell(n, table.curve(n)[loop.history().epochs(n)]);
    chosen.push_back(n);
  }
}

// The share of configurations with a better last value than the best of those that were chosen.
inline double share_above(const curves::CurveTable& table, std::span<const uint32_t> chosen) {
  float best = 0.0F;
  for (const uint32_t n : chosen) best = std::max(best, table.curve(n).back());
  size_t above = 0;
  for (size_t n = 0; n < table.size(); ++n) above += table.curve(n).back() > best ? 1 : 0;
  return static_cast<double>(above) / static_cast<double>(table.size());
}

}  // namespace cmbo::baselines
