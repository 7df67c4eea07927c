// SPDX-License-Identifier: Apache-2.0
#include "baselines/learning.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/check.h"

namespace cmbo::baselines {

bool goes_on_from(std::span<const decide::Step> seen, std::span<const decide::Step> steps) {
  const auto same = [](const decide::Step& a, const decide::Step& b) {
    return a.configuration == b.configuration && a.epoch == b.epoch && a.value == b.value;
  };
  return seen.size() <= steps.size() && std::equal(seen.begin(), seen.end(), steps.begin(), same);
}

uint32_t best_candidate(std::span<const uint32_t> candidates, std::span<const double> scores) {
  CHECK(!candidates.empty() && candidates.size() == scores.size(), "one score for each candidate");
  return candidates[static_cast<size_t>(std::max_element(scores.begin(), scores.end()) -
                                        scores.begin())];
}

decide::Choice choice_of(uint32_t configuration) {
  decide::Choice choice;
  choice.configuration = configuration;
  return choice;
}

uint32_t candidate_from(const decide::History& history, uint32_t wanted) {
  const std::vector<uint32_t> candidates = history.candidates();
  CHECK(!candidates.empty(), "a policy is asked only while there are candidates");
  const auto next = std::lower_bound(candidates.begin(), candidates.end(), wanted);
  return next == candidates.end() ? candidates.front() : *next;
}

uint32_t best_of_training(std::span<const curves::CurveTable* const> training) {
  CHECK(!training.empty(), "no training task");
  std::vector<double> sums(training[0]->size(), 0.0);
  for (const curves::CurveTable* table : training) {
    CHECK(table->size() == sums.size(), "training tasks share their configurations");
    for (size_t n = 0; n < sums.size(); ++n) sums[n] += static_cast<double>(table->curve(n).back());
  }
  return static_cast<uint32_t>(std::max_element(sums.begin(), sums.end()) - sums.begin());
}

float cosine_rate(float rate, size_t step, size_t steps) {
  const double progress = static_cast<double>(step) / static_cast<double>(steps);
  return rate * static_cast<float>(0.5 * (1.0 + std::cos(std::numbers::pi * progress)));
}

}  // namespace cmbo::baselines
