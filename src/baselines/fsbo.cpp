// SPDX-License-Identifier: Apache-2.0
#include "baselines/fsbo.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/check.h"
#include "baselines/learning.h"

namespace cmbo::baselines {

namespace {

constexpr size_t kTuningPatience = 16;
constexpr double kTuningTolerance = 1e-4;

void add_last_point(const curves::CurveTable& table, size_t n, gp::Points& points) {
  const auto x = table.configuration(n);
  points.x.insert(points.x.end(), x.begin(), x.end());
  points.y.push_back(static_cast<double>(table.curve(n)[table.horizon - 1]));
}

gp::DeepKernel pretrained_on_ends(std::span<const curves::CurveTable* const> training,
                                  const FsboOptions& options) {
  CHECK(!training.empty(), "FSBO needs a training task");
  Random random(options.seed);
  gp::DeepKernel kernel({.inputs = training[0]->dimensions,
                         .widths = options.widths,
                         .slope = 0.0F,
                         .activate_last = false},
                        gp::KernelKind::kMatern52, random.fork(1));
  gp::Adam adam;
  for (size_t i = 0; i < options.pretraining_updates; ++i) {
    const curves::CurveTable& table = *training[random.index(training.size())];
    gp::Points batch;
    for (size_t k = 0; k < options.batch; ++k) {
      add_last_point(table, random.index(table.size()), batch);
    }
    kernel.train_step(batch, cosine_rate(options.pretraining_rate, i, options.pretraining_updates),
                      adam);
  }
  return kernel;
}

// The kernel with the smallest loss on the way.
gp::DeepKernel tuned(gp::DeepKernel kernel, const gp::Points& points, const FsboOptions& options) {
  gp::DeepKernel best = kernel;
  double best_loss = std::numeric_limits<double>::infinity(), last = best_loss;
  gp::Adam adam;
  size_t unchanged = 0;
  for (size_t i = 0; i < options.tuning_updates && unchanged <= kTuningPatience; ++i) {
    gp::DeepKernel before = kernel;
    const std::optional<double> loss = kernel.train_step(points, options.tuning_rate, adam);
    if (!loss) break;
    if (*loss < best_loss) {
      best_loss = *loss;
      best = std::move(before);
    }
    unchanged = std::abs(*loss - last) <= kTuningTolerance ? unchanged + 1 : 0;
    last = *loss;
  }
  return best;
}

std::optional<uint32_t> unfinished(const decide::History& history) {
  for (uint32_t n = 0; n < history.size(); ++n) {
    if (history.epochs(n) > 0 && history.is_candidate(n)) return n;
  }
  return std::nullopt;
}

}  // namespace

Fsbo::Fsbo(std::span<const curves::CurveTable* const> training, const FsboOptions& options)
    : options_(options),
      pretrained_(pretrained_on_ends(training, options)),
      first_(best_of_training(training)) {}

Result<decide::Choice> Fsbo::choose(const decide::History& history) {
  if (const auto open = unfinished(history)) return choice_of(*open);
  gp::Points finished;
  for (uint32_t n = 0; n < history.size(); ++n) {
    if (history.finished(n)) add_last_point(history.curves(), n, finished);
  }
  if (finished.size() == 0) return choice_of(candidate_from(history, first_));
  gp::DeepKernel kernel = tuned(pretrained_, finished, options_);
  const std::vector<uint32_t> candidates = history.candidates();
  std::vector<float> rows;
  for (const uint32_t n : candidates) {
    const auto x = history.curves().configuration(n);
    rows.insert(rows.end(), x.begin(), x.end());
  }
  const std::optional<gp::Prediction> end = kernel.predict(finished, rows);
  if (!end) {
    return Error("fsbo: the covariance of the observations is singular; choose another method");
  }
  const double best = *std::max_element(finished.y.begin(), finished.y.end());
  std::vector<double> scores;
  for (size_t i = 0; i < candidates.size(); ++i) {
    scores.push_back(
        gp::expected_improvement(end->mean[i], std::sqrt(end->variance[i] + kernel.noise()), best));
  }
  return choice_of(best_candidate(candidates, scores));
}

}  // namespace cmbo::baselines
