// SPDX-License-Identifier: Apache-2.0
//
// What the curves of one task of the synthetic prior have in common, and how the latent scores of a
// configuration become the parameters of its curve. u = normal_cdf(z) of a score z:
//
//   learns      smoothstep((u_learn - flat) / flat_width)           0: the configuration is flat
//   asymptote   start + (best - start) learns ((u_quality - worse) / (1 - worse))^skill
//               below the start for u_quality < worse
//   half        half_time e^(-half_spread (coupling z_intensity + z_speed))
//   diverges    u_intensity > 1 - diverged, the earlier the deeper in that region
//
// so `flat`, `worse` and `diverged` are shares of the configurations, up to how normal the scores
// are. Intensity stands for what a learning rate does: too little does not learn, too much is
// unstable and then diverges, and the best is somewhere between.
#pragma once

#include "curves/prior_network.h"
#include "curves/prior_shapes.h"

namespace cmbo::curves {

// The latent scores of a configuration.
struct Latent {
  enum : size_t {
    kIntensity,
    kQuality,
    kLearn,
    kSpeed,
    kDelay,
    kFirstWeight,
    kBend = kFirstWeight + 4,
    kNoise,
    kOverfit,
    kBreak,
    kStart,
    kCount
  };
};

enum class MetricKind {
  kLoss,      // a loss, normalized by its value before training: y_0 = 1/e, diverges to 0
  kAccuracy,  // starts low, may fall back to chance instead of diverging
  kReturn,    // no value before training: y_0 is the mean of epoch 1; noisy from the start
};

// Beside each field, how it is drawn for a task: U uniform, LU uniform in the logarithm, "p: " with
// probability p and otherwise 0. Shares are of the configurations, times are in units of the
// horizon unless they are said to be in epochs.
struct TaskTraits {
  MetricKind kind = MetricKind::kLoss;  // 40 % losses, 40 % accuracies, 20 % returns
  double horizon = 50;                  // T, epochs

  double initial = 0;       // y_0: 1/e; 0.003 + 0.57 U^2; U(0.15, 0.5)
  double start = 0;         // y_0, or 30 %: up to 0.95 of the way to `best`, or a bit below
  double best = 1;          // of a loss 0.4 to 1, an accuracy 0.65 to 1, a return 0.57 to 0.97
  double start_spread = 0;  // of the start over configurations: LU(0.003, 0.1) for returns
  double jump = 0.1;        // epochs to the start: LU(0.1, T / 20 + 0.2)

  double skill = 1;           // exponent: LU(0.04, 8); small: most are alike, large: few are good
  double hump = 0;            // 70 %: U(0, 2), what being off the best intensity costs
  double hump_at = 0.5;       // the best intensity: U(0.2, 1)
  double flat = 0;            // 50 %: U(0, 0.95), share that never learns
  double flat_width = 0.1;    // LU(0.01, 0.3), share between those and the ones that fully learn
  double flat_creep = 0;      // 50 %: LU(1e-4, 1e-2), how far flat curves still move; 0: exact
  double learn_coupling = 0;  // U(0, 1), how much learning depends on intensity
  double worse = 0;           // 50 %: U(0, 0.25), share that gets worse than the start
  double worst_fall = 0;      // U(0, 1), share of the start that the worst loses
  double unexplained = 0;     // 60 %: U(0, 0.4), deviation that the inputs do not explain

  double half_time = 5;      // epochs: T LU(0.003, 2) + 0.05
  double half_spread = 0.5;  // U(0.3, 2)
  double coupling = 0.5;     // U(0, 1), how much faster the more intense are
  double delay = 0;          // 25 %: U(0, 0.6)

  double diverged = 0;        // 55 %: U(0, 0.3), share in the region of divergence
  double diverge_pace = 4;    // U(2, 10), how much earlier deep in it
  double diverge_latest = 1;  // U(0.3, 1.2), time at its edge
  double dead_level = 0;      // 0; for 60 % of accuracies and returns y_0
  double unstable = 0;        // 60 %: U(0, 0.3), share in the region before it
  double shock = 0;           // U(0.1, 1.3), share of the start that is lost there at first
  double recovery = 10;       // epochs: T LU(0.02, 5)
  double unstable_noise = 1;  // LU(1, 20), factor of the noise there

  double overfit = 0;        // 40 %: U(0, 0.8), share that declines
  double overfit_loss = 0;   // 0.7 U^3, share of its gain that the worst of them loses
  double overfit_at = 0.5;   // U(0.02, 0.8), time of the earliest
  double overfit_after = 0;  // of 30 % of losses and 10 % of others LU(2, 20): in units of its
                             // half, when each declines; there the two above are U(0.5, 1.5), where
                             // more than 1 means all and none but little, and U(0, 1.5), U(0, 0.5)
  double overfit_bend = 1;   // U(0.4, 1.6)
  double broken = 0;         // 30 %: U(0, 0.6), share whose pace changes on the way
  double break_speed = 1;    // 40 % 0, 30 % 0.3, 30 % U(2, 8)
  double step_at = kNever;   // epoch of a schedule's step, in 6 % of the tasks
  double step_share = 0;     // U(0.05, 0.35), of the gain

  CurveNoise noise;         // size 75 %: LU(2e-4, 0.03), returns LU(0.003, 0.08); see draw_noise.
                            // grain of accuracies 70 %: LU(1e-4, 0.02)
  double noise_spread = 0;  // U(0.1, 1.2), of its logarithm over configurations
  double rough = 0;         // 20 %: U(0, 0.15), share with ten times the noise
  CurveShape shape;         // exponents and, as logits, weights that configurations vary around
};

TaskTraits draw_traits(size_t horizon, Random& random);

// Couples scores as the traits say: quality has a best intensity, learning needs some of it.
void couple_scores(const TaskTraits& traits, LatentScores& scores);

// The curve of configuration n; `scores` must have been coupled.
CurveShape shape_of(const TaskTraits& traits, const LatentScores& scores, size_t n);

}  // namespace cmbo::curves
