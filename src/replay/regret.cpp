// SPDX-License-Identifier: Apache-2.0
#include "replay/regret.h"

#include <algorithm>
#include <limits>

#include "base/check.h"

namespace cmbo::replay {

double RegretScale::operator()(double utility) const {
  return best > worst ? (best - utility) / (best - worst) : 0.0;
}

Reach reachable(const curves::CurveTable& table, const decide::Utility& utility, double budget,
                const Standing& standing) {
  const std::span<const float> future =
      table.curve(standing.configuration).subspan(standing.epochs);
  Reach reach{.utility = -std::numeric_limits<double>::infinity()};
  float best = standing.best;
  for (size_t i = 0; i < future.size(); ++i) {
    const auto cost = static_cast<double>(standing.steps + i + 1);
    if (cost > budget) break;
    best = std::max(best, future[i]);
    const double value = utility(cost, static_cast<double>(best));
    if (value > reach.utility) reach = {value, static_cast<uint32_t>(i)};
  }
  return reach;
}

RegretScale regret_scale(const curves::CurveTable& table, const decide::Utility& utility,
                         double budget) {
  CHECK(table.size() > 0, "a regret needs a configuration");
  RegretScale scale{.best = -std::numeric_limits<double>::infinity()};
  float worst = 1.0F;
  for (uint32_t n = 0; n < table.size(); ++n) {
    scale.best =
        std::max(scale.best, reachable(table, utility, budget, {.configuration = n}).utility);
    worst = std::min(worst, table.curve(n).front());
  }
  scale.worst = utility(budget, static_cast<double>(worst));
  return scale;
}

}  // namespace cmbo::replay
