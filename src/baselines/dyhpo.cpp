// SPDX-License-Identifier: Apache-2.0
#include "baselines/dyhpo.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "baselines/learning.h"

namespace cmbo::baselines {

namespace {

size_t curve_inputs(const curves::CurveTable& table) {
  return std::max<size_t>(3, table.horizon - 1);
}

// best_t at t - 1, for t = 1..T.
std::vector<double> best_at_epochs(const decide::History& history) {
  std::vector<double> best(history.curves().horizon, -1.0);
  for (const decide::Step& step : history.steps()) {
    best[step.epoch - 1] = std::max(best[step.epoch - 1], static_cast<double>(step.value));
  }
  for (double& value : best) {
    if (value < 0.0) value = static_cast<double>(history.best());
  }
  return best;
}

}  // namespace

gp::FeatureShape dyhpo_shape(const DyHpoOptions& options, const curves::CurveTable& pool) {
  return {.inputs = pool.dimensions + 1,
          .curve = curve_inputs(pool),
          .channels = options.channels,
          .widths = options.widths};
}

void add_dyhpo_row(const curves::CurveTable& table, size_t n, size_t t, std::vector<float>& rows) {
  const auto x = table.configuration(n);
  const auto before = table.curve(n).first(t - 1);
  rows.insert(rows.end(), x.begin(), x.end());
  rows.push_back(static_cast<float>(t) / static_cast<float>(table.horizon));
  rows.insert(rows.end(), before.begin(), before.end());
  rows.resize(rows.size() + curve_inputs(table) - before.size(), 0.0F);
}

DyHpo::DyHpo(const curves::CurveTable& pool, const DyHpoOptions& options,
             std::optional<DyHpoStart> start)
    : options_(options),
      shape_(dyhpo_shape(options, pool)),
      start_(std::move(start)),
      first_(start_ ? start_->first
                    : static_cast<uint32_t>(Random(options.seed).index(pool.size()))),
      patience_(static_cast<size_t>(options.patience * static_cast<double>(pool.horizon))),
      kernel_(new_kernel()) {
  CHECK(first_ < pool.size(), "the first configuration is one of the pool");
}

// Depends on the number of steps seen, so that no two have the same weights.
gp::DeepKernel DyHpo::new_kernel() const {
  if (start_) return start_->kernel;
  return {shape_, gp::KernelKind::kRbf, Random(options_.seed).fork(seen_.size() + 1)};
}

void DyHpo::forget() {
  seen_.clear();
  points_ = {};
  kernel_ = new_kernel();
  best_ = 0.0F;
  since_best_ = 0;
}

void DyHpo::learn(const curves::CurveTable& curves, const decide::Step& step) {
  seen_.push_back(step);
  add_dyhpo_row(curves, step.configuration, step.epoch, points_.x);
  points_.y.push_back(static_cast<double>(step.value));
  since_best_ = step.value > best_ || seen_.size() == 1 ? 0 : since_best_ + 1;
  best_ = std::max(best_, step.value);
  const bool anew = seen_.size() <= options_.full_trainings || since_best_ == patience_;
  if (anew) kernel_ = new_kernel();
  kernel_.train(points_, anew ? options_.full_updates : options_.refine_updates,
                options_.learning_rate);
}

void DyHpo::follow(const decide::History& history) {
  if (!goes_on_from(seen_, history.steps())) forget();
  while (seen_.size() < history.steps().size()) {
    learn(history.curves(), history.steps()[seen_.size()]);
  }
}

Result<decide::Choice> DyHpo::choose(const decide::History& history) {
  if (history.steps().empty()) return choice_of(candidate_from(history, first_));
  follow(history);
  const std::vector<uint32_t> candidates = history.candidates();
  std::vector<float> rows;
  for (const uint32_t n : candidates) {
    add_dyhpo_row(history.curves(), n, history.epochs(n) + 1, rows);
  }
  const std::optional<gp::Prediction> next = kernel_.predict(points_, rows);
  if (!next) {
    return Error("dyhpo: the covariance of the observations is singular; choose another method");
  }
  const std::vector<double> best = best_at_epochs(history);
  std::vector<double> scores;
  for (size_t i = 0; i < candidates.size(); ++i) {
    scores.push_back(gp::expected_improvement(next->mean[i],
                                              std::sqrt(next->variance[i] + kernel_.noise()),
                                              best[history.epochs(candidates[i])]));
  }
  return choice_of(best_candidate(candidates, scores));
}

}  // namespace cmbo::baselines
