// SPDX-License-Identifier: Apache-2.0
#include "study/eviction.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "study/deliberation.h"

namespace cmbo::study {

EvictionPlan plan_evictions(const StudyFile& file, const Facts& facts,
                            std::span<const double> gains, uint64_t quota) {
  EvictionPlan plan{.quota = quota};
  std::vector<uint32_t> kept = best_first(file, facts);
  kept.resize(std::min<size_t>(kept.size(), file.checkpoints.keep_best));
  // What goes first stands first.
  std::vector<std::tuple<bool, double, double, int64_t, uint32_t>> order;
  for (const Trial& trial : facts.trials()) {
    const uint32_t n = trial.number;
    plan.used += trial.checkpoint_bytes.value_or(0);
    if (!trial.checkpoint_bytes || trial.state == TrialState::kRunning) continue;
    if (std::find(kept.begin(), kept.end(), n) != kept.end()) continue;
    order.emplace_back(is_candidate(file, facts, n), n < gains.size() ? gains[n] : 0.0,
                       goodness(file, facts, n), -static_cast<int64_t>(*trial.checkpoint_bytes), n);
  }
  std::sort(order.begin(), order.end());
  uint64_t left = plan.used;
  for (const auto& [thawable, gain, value, size, trial] : order) {
    if (left <= quota || !file.checkpoints.evict) break;
    const uint64_t bytes = *facts.trials()[trial].checkpoint_bytes;
    plan.evictions.push_back({trial, bytes});
    left -= bytes;
  }
  plan.enough = left <= quota;
  return plan;
}

}  // namespace cmbo::study
