// SPDX-License-Identifier: Apache-2.0
#include "baselines/ranking.h"

#include <algorithm>
#include <numeric>

#include "base/check.h"

namespace cmbo::baselines {

namespace {

// u_{m,n}(t) of one curve, at t - 1.
std::vector<double> utilities_alone(std::span<const float> curve, const decide::Utility& utility) {
  std::vector<double> utilities;
  float best = 0.0F;
  for (size_t t = 1; t <= curve.size(); ++t) {
    best = std::max(best, curve[t - 1]);
    utilities.push_back(utility(static_cast<double>(t), static_cast<double>(best)));
  }
  return utilities;
}

struct Standing {
  double score = 0.0;
  uint32_t length = 0;
};

Standing standing_of(std::span<const curves::CurveTable* const> training, size_t n,
                     const decide::Utility& utility) {
  Standing standing;
  std::vector<double> sum(training[0]->horizon, 0.0);
  for (const curves::CurveTable* table : training) {
    const std::vector<double> alone = utilities_alone(table->curve(n), utility);
    CHECK(alone.size() == sum.size(), "training curves reach the last epoch");
    for (size_t t = 0; t < sum.size(); ++t) sum[t] += alone[t];
    standing.score += *std::max_element(alone.begin(), alone.end());
  }
  const auto longest = std::max_element(sum.begin(), sum.end());
  standing.length = static_cast<uint32_t>(longest - sum.begin()) + 1;
  return standing;
}

}  // namespace

Ranking::Ranking(std::span<const curves::CurveTable* const> training,
                 const decide::Utility& utility) {
  CHECK(!training.empty(), "a ranking needs a training task");
  std::vector<double> scores;
  for (size_t n = 0; n < training[0]->size(); ++n) {
    const Standing standing = standing_of(training, n, utility);
    scores.push_back(standing.score);
    lengths_.push_back(standing.length);
  }
  order_.resize(scores.size());
  std::iota(order_.begin(), order_.end(), 0U);
  std::stable_sort(order_.begin(), order_.end(),
                   [&](uint32_t a, uint32_t b) { return scores[a] > scores[b]; });
}

Result<decide::Choice> Ranking::choose(const decide::History& history) {
  CHECK(history.size() == order_.size(), "a ranking is of one pool");
  auto next = std::find_if(order_.begin(), order_.end(), [&](uint32_t n) {
    return history.epochs(n) < lengths_[n] && history.is_candidate(n);
  });
  if (next == order_.end()) {
    next = std::find_if(order_.begin(), order_.end(),
                        [&](uint32_t n) { return history.is_candidate(n); });
  }
  CHECK(next != order_.end(), "a policy is asked only while there are candidates");
  decide::Choice choice;
  choice.configuration = *next;
  return choice;
}

}  // namespace cmbo::baselines
