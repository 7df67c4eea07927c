// SPDX-License-Identifier: Apache-2.0
#include "study/facts.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/check.h"

namespace cmbo::study {

Result<Facts> Facts::load(Storage& storage) {
  CMBO_TRY(const auto study, storage.study());
  if (!study) return Error("there is no study yet; begin it with cmbo tune");
  Facts facts;
  facts.study_ = *study;
  // Somebody may be adding to it. What is referred to is there before what refers to it, so the
  // latter is read first.
  CMBO_TRY(facts.conflicts_, storage.conflicts());
  CMBO_TRY(const std::vector<Observation> observations, storage.observations());
  CMBO_TRY(facts.slices_, storage.slices());
  CMBO_TRY(facts.trials_, storage.trials());
  facts.curves_.resize(facts.trials_.size());
  for (const Observation& observation : observations) facts.add(observation);
  return facts;
}

const Slice* Facts::find_slice(uint64_t id) const {
  return id >= 1 && id <= slices_.size() ? &slices_[id - 1] : nullptr;
}

std::vector<const Slice*> Facts::open_slices() const {
  std::vector<const Slice*> open;
  for (const Slice& slice : slices_) {
    if (!slice.outcome) open.push_back(&slice);
  }
  return open;
}

const Observation* Facts::last(uint32_t trial) const {
  return curves_[trial].empty() ? nullptr : &observations_[curves_[trial].back()];
}

void Facts::put(const Trial& trial) {
  CHECK(trial.number <= trials_.size(), "trials are numbered without gaps");
  if (trial.number == trials_.size()) {
    trials_.emplace_back();
    curves_.emplace_back();
  }
  trials_[trial.number] = trial;
}

void Facts::put(const Slice& slice) {
  CHECK(slice.id >= 1 && slice.id <= slices_.size() + 1, "slices are numbered without gaps");
  if (slice.id > slices_.size()) slices_.emplace_back();
  slices_[slice.id - 1] = slice;
}

void Facts::add(const Observation& observation) {
  CHECK(observation.trial < trials_.size() && observation.step == steps(observation.trial) + 1,
        "steps are recorded in their order");
  curves_[observation.trial].push_back(observations_.size());
  observations_.push_back(observation);
}

void Facts::add_conflict(const Observation& observation) {
  const bool known =
      std::any_of(conflicts_.begin(), conflicts_.end(), [&](const Observation& conflict) {
        return conflict.trial == observation.trial && conflict.step == observation.step;
      });
  if (!known) conflicts_.push_back(observation);
}

double goodness(const StudyFile& file, const Facts& facts, uint32_t trial) {
  double best = -std::numeric_limits<double>::infinity();
  for (const size_t place : facts.curve(trial)) {
    const double value = facts.observations()[place].value;
    const double signed_value = file.metric.goal == curves::Goal::kMaximize ? value : -value;
    if (signed_value > best) best = signed_value;  // never for NaN
  }
  return best;
}

std::vector<uint32_t> best_first(const StudyFile& file, const Facts& facts) {
  std::vector<std::pair<double, uint32_t>> all;
  for (const Trial& trial : facts.trials()) {
    if (facts.steps(trial.number) == 0) continue;
    all.emplace_back(-goodness(file, facts, trial.number), trial.number);
  }
  std::sort(all.begin(), all.end());
  std::vector<uint32_t> order;
  order.reserve(all.size());
  for (const auto& [score, trial] : all) order.push_back(trial);
  return order;
}

Standing standing_of(const StudyFile& file, const Facts& facts) {
  Standing standing;
  standing.epochs = facts.observations().size();
  standing.wall_seconds = facts.study().wall_seconds;
  for (const Observation& observation : facts.observations()) {
    if (!std::isfinite(observation.value)) continue;
    if (standing.best_trial && !file.metric.better(observation.value, standing.best_value)) {
      continue;
    }
    standing.best_trial = observation.trial;
    standing.best_step = observation.step;
    standing.best_value = observation.value;
  }
  for (const Expense& expense : expenses_of(file, facts)) {
    standing.train_seconds += expense.seconds;
    standing.cost += expense.cost;
  }
  return standing;
}

std::vector<Expense> expenses_of(const StudyFile& file, const Facts& facts) {
  const std::span<const Observation> observations = facts.observations();
  const std::span<const Slice> slices = facts.slices();
  std::vector<double> rest(slices.size() + 1, 0.0);  // seconds of each slice without a step
  std::vector<size_t> last(slices.size() + 1, observations.size());  // its last observation
  for (const Slice& slice : slices) rest[slice.id] = slice.seconds;
  for (size_t i = 0; i < observations.size(); ++i) {
    rest[observations[i].slice] -= observations[i].seconds;
    last[observations[i].slice] = i;
  }
  std::vector<Expense> expenses;
  const auto spend = [&](const Observation* observation, double seconds) {
    const double epochs = observation == nullptr ? 0.0 : 1.0;
    expenses.push_back({observation, seconds, file.utility.cost_of(epochs, seconds)});
  };
  size_t next = 0;  // the slices before it, if they had no step, are paid for
  const auto pay_slices_before = [&](uint64_t id) {
    for (; next < slices.size() && slices[next].id < id; ++next) {
      const bool stepless = last[slices[next].id] == observations.size();
      if (stepless && slices[next].seconds > 0.0) spend(nullptr, slices[next].seconds);
    }
  };
  for (size_t i = 0; i < observations.size(); ++i) {
    const uint64_t slice = observations[i].slice;
    pay_slices_before(slice);
    const double tail = last[slice] == i ? std::max(0.0, rest[slice]) : 0.0;
    spend(&observations[i], observations[i].seconds + tail);
  }
  pay_slices_before(slices.size() + 1);
  return expenses;
}

}  // namespace cmbo::study
