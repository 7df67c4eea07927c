// SPDX-License-Identifier: Apache-2.0
#include "baselines/dpl.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/check.h"
#include "baselines/learning.h"
#include "gp/regression.h"

namespace cmbo::baselines {

namespace {

// Mean and variance of each column of members' errors, as expected improvements of 1 - error.
std::vector<double> improvements(const std::vector<std::vector<double>>& errors, double best) {
  const auto members = static_cast<double>(errors.size());
  std::vector<double> scores;
  for (size_t i = 0; i < errors[0].size(); ++i) {
    double sum = 0.0, squares = 0.0;
    for (const std::vector<double>& one : errors) sum += one[i];
    const double mean = sum / members;
    for (const std::vector<double>& one : errors) squares += (one[i] - mean) * (one[i] - mean);
    scores.push_back(gp::expected_improvement(1.0 - mean, std::sqrt(squares / members), best));
  }
  return scores;
}

}  // namespace

Dpl::Dpl(const curves::CurveTable& pool, const DplOptions& options)
    : options_(options),
      dimensions_(pool.dimensions),
      first_(static_cast<uint32_t>(Random(options.seed).index(pool.size()))),
      patience_(static_cast<size_t>(options.patience * static_cast<double>(pool.horizon))) {
  CHECK(options.members > 0, "an ensemble has members");
  forget();
}

// Depends on the number of steps seen, so that no two have the same weights.
void Dpl::draw_members() {
  members_.clear();
  const Random random = Random(options_.seed).fork(seen_.size() + 1);
  for (size_t k = 0; k < options_.members; ++k) {
    members_.emplace_back(dimensions_, options_.hidden, random.fork(k));
  }
}

void Dpl::forget() {
  seen_.clear();
  points_ = {};
  points_.dimensions = dimensions_;
  best_ = 0.0F;
  since_best_ = 0;
  draw_members();
}

// A round is all points once, in random order. A batch of a single point is left out.
void Dpl::train_member(size_t member, size_t rounds, bool stress_newest) {
  Random random = Random(options_.seed).fork(seen_.size() + 1).fork(options_.members + member);
  std::vector<size_t> order(points_.size());
  std::iota(order.begin(), order.end(), size_t{0});
  gp::Adam adam;
  for (size_t round = 0; round < rounds; ++round) {
    random.shuffle(std::span(order));
    for (size_t first = 0; first < order.size(); first += options_.batch) {
      const size_t last = std::min(first + options_.batch, order.size());
      if (last - first < 2) break;
      CurvePoints batch{.dimensions = dimensions_};
      for (size_t i = first; i < last; ++i) batch.add(points_, order[i]);
      if (stress_newest) batch.add(points_, points_.size() - 1);
      members_[member].train_step(batch, options_.learning_rate, adam);
    }
  }
}

void Dpl::learn(const curves::CurveTable& curves, const decide::Step& step) {
  seen_.push_back(step);
  points_.add(curves.configuration(step.configuration),
              static_cast<float>(step.epoch) / static_cast<float>(curves.horizon),
              1.0F - step.value);
  since_best_ = step.value > best_ || seen_.size() == 1 ? 0 : since_best_ + 1;
  best_ = std::max(best_, step.value);
  const bool anew = seen_.size() <= options_.full_trainings || since_best_ == patience_;
  if (anew) draw_members();
  if (since_best_ == patience_) since_best_ = 0;
  for (size_t k = 0; k < members_.size(); ++k) {
    train_member(k, anew ? options_.full_rounds : options_.refine_rounds, !anew);
  }
}

void Dpl::follow(const decide::History& history) {
  if (!goes_on_from(seen_, history.steps())) forget();
  while (seen_.size() < history.steps().size()) {
    learn(history.curves(), history.steps()[seen_.size()]);
  }
}

Result<decide::Choice> Dpl::choose(const decide::History& history) {
  if (history.steps().empty()) return choice_of(candidate_from(history, first_));
  follow(history);
  const std::vector<uint32_t> candidates = history.candidates();
  std::vector<float> rows;
  for (const uint32_t n : candidates) {
    const auto x = history.curves().configuration(n);
    rows.insert(rows.end(), x.begin(), x.end());
  }
  std::vector<std::vector<double>> errors;
  for (PowerLawNetwork& member : members_) errors.push_back(member.last_errors(rows));
  const std::vector<double> scores = improvements(errors, static_cast<double>(history.best()));
  return choice_of(best_candidate(candidates, scores));
}

}  // namespace cmbo::baselines
