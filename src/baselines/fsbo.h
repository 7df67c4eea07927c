// SPDX-License-Identifier: Apache-2.0
//
// FSBO (Wistuba and Grabocka, "Few-Shot Bayesian Optimization with Deep Kernel Surrogates", 2021):
// black-box optimization of the value at the last epoch T by a deep-kernel Gaussian process that
// was trained on other tasks and is tuned on what this one has shown:
//
//   y_T ~ GP(m, Matern 5/2 of phi(x)) + noise
//   before the run: minimize the mean of -log p(y_B) / |B| over batches B of one training task
//   before each choice: from those weights on, minimize -log p / n of the finished configurations
//   n* = argmax of E max(0, y_T - best),  best: of the finished ones
//
// A configuration is trained to the last epoch before the next one is chosen. The first is the best
// of the training tasks on average (learning.h), in place of the authors' evolutionary warm start,
// as in "Cost-Sensitive Multi-Fidelity Bayesian Optimization with Transfer of Learning Curve
// Extrapolation".
// Defaults are those of the code at machinelearningnuremberg/FSBO: four layers of 32 with ReLU
// (none after the last), batches of 64, tuning by Adam at 1e-3 until 16 losses in a row changed by
// less than 1e-4 (at most 10,000 updates, the best weights kept). Its 100,000 rounds over all tasks
// at 1e-4 are 20,000 updates at 1e-3 here, down a cosine, so that a run starts within seconds.
// Values are not scaled again: tables are in [0,1] already. Nothing is drawn by the run's seed.
#pragma once

#include "decide/policy.h"
#include "gp/deep_kernel.h"

namespace cmbo::baselines {

struct FsboOptions {
  std::vector<size_t> widths = {32, 32, 32, 32};
  size_t batch = 64;
  size_t pretraining_updates = 20000;
  float pretraining_rate = 1e-3F;
  size_t tuning_updates = 10000;  // at most
  float tuning_rate = 1e-3F;
  uint64_t seed = 1;  // of weights and batches
};

class Fsbo : public decide::Policy {
 public:
  // Pretrains: seconds. At least one training task, with the pool's configurations in the same
  // order and curves to the last epoch.
  Fsbo(std::span<const curves::CurveTable* const> training, const FsboOptions& options = {});

  Result<decide::Choice> choose(const decide::History& history) override;

 private:
  FsboOptions options_;
  gp::DeepKernel pretrained_;
  uint32_t first_;
};

}  // namespace cmbo::baselines
