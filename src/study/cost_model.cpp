// SPDX-License-Identifier: Apache-2.0
#include "study/cost_model.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "study/ridge.h"

namespace cmbo::study {

namespace {

constexpr double kShortestEpoch = 1e-6;  // s; clocks tick
constexpr double kPenalty = 0.3;
// Start-up is at most 1 / (1 + this) of a slice.
constexpr double kEpochsPerStartup = 3.0;

double median_of(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// First step's seconds less the mean of the later ones, of all slices that have such.
std::vector<double> startups_of(const Facts& facts) {
  struct Sums {
    double first = 0.0, later = 0.0;
    size_t count = 0;
  };
  std::vector<Sums> sums(facts.slices().size() + 1);
  for (const Observation& observation : facts.observations()) {
    Sums& sum = sums[observation.slice];
    (sum.count == 0 ? sum.first : sum.later) += observation.seconds;
    ++sum.count;
  }
  std::vector<double> startups;
  for (const Sums& sum : sums) {
    if (sum.count < 2) continue;
    const double mean = sum.later / static_cast<double>(sum.count - 1);
    startups.push_back(std::max(0.0, sum.first - mean));
  }
  return startups;
}

// The mean seconds of an epoch of each trial; 0 where none was trained.
std::vector<double> measured_seconds(const Facts& facts, double startup) {
  std::vector<double> seconds(facts.trials().size(), 0.0);
  for (uint32_t trial = 0; trial < seconds.size(); ++trial) {
    uint64_t slice = 0;
    double sum = 0.0;
    for (const size_t place : facts.curve(trial)) {
      const Observation& observation = facts.observations()[place];
      const bool first = std::exchange(slice, observation.slice) != observation.slice;
      sum += std::max(kShortestEpoch, observation.seconds - (first ? startup : 0.0));
    }
    if (facts.steps(trial) > 0) seconds[trial] = sum / facts.steps(trial);
  }
  return seconds;
}

// Fills in what was not measured.
void predict_others(const curves::CurveTable& pool, std::vector<double>& seconds) {
  std::vector<double> rows, targets, known;
  for (size_t n = 0; n < seconds.size(); ++n) {
    if (seconds[n] <= 0.0) continue;
    const auto row = pool.configuration(n);
    rows.insert(rows.end(), row.begin(), row.end());
    targets.push_back(std::log(seconds[n]));
    known.push_back(seconds[n]);
  }
  if (known.empty()) {
    std::fill(seconds.begin(), seconds.end(), 1.0);
    return;
  }
  const auto [least, most] = std::minmax_element(known.begin(), known.end());
  const double low = *least, high = *most, typical = median_of(known);
  const Ridge ridge(rows, targets, kPenalty);
  for (size_t n = 0; n < seconds.size(); ++n) {
    if (seconds[n] > 0.0) continue;
    seconds[n] = known.size() < kFewestForRegression
                     ? typical
                     : std::clamp(std::exp(ridge(pool.configuration(n))), low, high);
  }
}

}  // namespace

uint32_t CostModel::wanted_steps(uint32_t trial) const {
  if (!startup_seconds) return 2;
  const double steps = std::ceil(kEpochsPerStartup * *startup_seconds / epoch_seconds[trial]);
  return static_cast<uint32_t>(std::clamp(steps, 1.0, static_cast<double>(curves::kMaxEpochs)));
}

std::vector<double> CostModel::epoch_costs(const UtilitySpec& utility) const {
  if (utility.unit == CostUnit::kEpochs) return {};
  std::vector<double> costs;
  for (uint32_t n = 0; n < epoch_seconds.size(); ++n) {
    const double share = startup_seconds.value_or(0.0) / wanted_steps(n);
    costs.push_back(utility.cost_of(1.0, epoch_seconds[n] + share));
  }
  return costs;
}

CostModel cost_model(const Facts& facts, const curves::CurveTable& pool) {
  CostModel model;
  std::vector<double> startups = startups_of(facts);
  if (!startups.empty()) model.startup_seconds = median_of(std::move(startups));
  model.epoch_seconds = measured_seconds(facts, model.startup_seconds.value_or(0.0));
  predict_others(pool, model.epoch_seconds);
  return model;
}

}  // namespace cmbo::study
