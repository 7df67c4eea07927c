// SPDX-License-Identifier: Apache-2.0
#include "baselines/quicktune.h"

#include "base/check.h"
#include "baselines/learning.h"

namespace cmbo::baselines {

namespace {

gp::Points draw_curve_points(const curves::CurveTable& table, size_t count, Random& random) {
  gp::Points points;
  for (size_t i = 0; i < count; ++i) {
    const size_t n = random.index(table.size()), t = 1 + random.index(table.horizon);
    add_dyhpo_row(table, n, t, points.x);
    points.y.push_back(static_cast<double>(table.curve(n)[t - 1]));
  }
  return points;
}

gp::DeepKernel pretrained_on_curves(std::span<const curves::CurveTable* const> training,
                                    const QuickTuneOptions& options) {
  Random random(options.run.seed);
  gp::DeepKernel kernel(dyhpo_shape(options.run, *training[0]), gp::KernelKind::kRbf,
                        random.fork(1));
  gp::Adam adam;
  for (size_t i = 0; i < options.pretraining_updates; ++i) {
    const curves::CurveTable& table = *training[random.index(training.size())];
    kernel.train_step(draw_curve_points(table, options.batch, random),
                      cosine_rate(options.pretraining_rate, i, options.pretraining_updates), adam);
  }
  return kernel;
}

}  // namespace

DyHpo make_quick_tune(std::span<const curves::CurveTable* const> training,
                      const QuickTuneOptions& options) {
  CHECK(!training.empty(), "Quick-Tune needs a training task");
  return DyHpo(*training[0], options.run,
               DyHpoStart{pretrained_on_curves(training, options), best_of_training(training)});
}

}  // namespace cmbo::baselines
