// SPDX-License-Identifier: Apache-2.0
//
// Quick-Tune (Pineda Arango et al., "Quick-Tune: Quickly Learning Which Pretrained Model to
// Finetune and How", 2024) without its choice of pretrained models and its costs, so what is left
// is DyHPO (dyhpo.h) whose deep kernel was trained on the curves of other tasks:
//
//   minimize the mean of -log p(y_B) / |B| over batches B of one training task, each with points
//   (x, t, curve before t) drawn at random
//
// The first configuration is the best of the training tasks on average (learning.h); then the
// kernel gets DyHPO's 50 updates after every step, never new weights. The reduction is that of
// "Cost-Sensitive Multi-Fidelity Bayesian Optimization with Transfer of Learning Curve
// Extrapolation", which pretrains by 50,000 updates of Adam on batches of 512 points, from 1e-3
// down a cosine. An update costs the cube of the batch, hence the smaller defaults here: a run
// starts within seconds. How its batches are made up of tasks is not said. Nothing is drawn by the
// run's seed.
#pragma once

#include "baselines/dyhpo.h"

namespace cmbo::baselines {

struct QuickTuneOptions {
  DyHpoOptions run = {.full_trainings = 0, .patience = 1e9};
  size_t pretraining_updates = 6000;
  size_t batch = 128;  // points
  float pretraining_rate = 1e-3F;
};

// Pretrains: seconds. At least one training task, with the pool's configurations in the same order
// and curves to the last epoch.
DyHpo make_quick_tune(std::span<const curves::CurveTable* const> training,
                      const QuickTuneOptions& options = {});

}  // namespace cmbo::baselines
