// SPDX-License-Identifier: Apache-2.0
//
// DyHPO (Wistuba, Kadra and Grabocka, "Supervising the Multi-Fidelity Race of Hyperparameter
// Configurations", 2022): a deep-kernel Gaussian process over configuration x, epoch t and the
// curve before t predicts the next epoch of every configuration, and the one with the largest
// expected improvement at its own epoch gets that epoch:
//
//   phi = a(W_2 [a(W_1 [x, t/T] + b_1), max over time of conv(y_1 .. y_(t-1))] + b_2)
//   y_t ~ GP(m, s exp(-|phi - phi'|^2 / 2 l^2)) + noise
//   n*  = argmax of E max(0, y_n,t - best_t),  t = 1 + epochs of n
//   best_t: the best value at epoch t; where nobody got that far, the best value of all
//
// Defaults are those of the authors' code: layers of 64 and 128 with leaky ReLU, 4 filters of 3
// epochs, Adam at 1e-3; after each of the first 10 steps 1000 updates from new weights, then 50
// updates of the same weights after every step with a fresh Adam; new weights once when 1.2 T steps
// brought no improvement; the first configuration at random.
// Otherwise: no batch normalization after the first layer (inputs are in [0,1], and the whole
// history is one batch); the authors forget diverged epochs, here they are values of 0.
#pragma once

#include <optional>

#include "decide/policy.h"
#include "gp/deep_kernel.h"

namespace cmbo::baselines {

struct DyHpoOptions {
  std::vector<size_t> widths = {64, 128};
  size_t channels = 4;
  size_t full_trainings = 10;  // the first steps after which weights are drawn anew
  size_t full_updates = 1000;
  size_t refine_updates = 50;
  float learning_rate = 1e-3F;
  double patience = 1.2;  // horizons without improvement until weights are drawn anew
  uint64_t seed = 1;
};

// Where to start instead of at random (quicktune.h).
struct DyHpoStart {
  gp::DeepKernel kernel;
  uint32_t first = 0;  // configuration
};

// The network's inputs: x, t/T and the values before t, zeros from t on.
gp::FeatureShape dyhpo_shape(const DyHpoOptions& options, const curves::CurveTable& pool);
// Adds the row of epoch t of configuration n, whose curve reaches epoch t - 1 at least.
void add_dyhpo_row(const curves::CurveTable& table, size_t n, size_t t, std::vector<float>& rows);

class DyHpo : public decide::Policy {
 public:
  // `pool`: for configurations and horizon.
  DyHpo(const curves::CurveTable& pool, const DyHpoOptions& options,
        std::optional<DyHpoStart> start = std::nullopt);

  Result<decide::Choice> choose(const decide::History& history) override;

 private:
  gp::DeepKernel new_kernel() const;
  void forget();
  void follow(const decide::History& history);
  void learn(const curves::CurveTable& curves, const decide::Step& step);

  DyHpoOptions options_;
  gp::FeatureShape shape_;
  std::optional<DyHpoStart> start_;
  uint32_t first_;
  size_t patience_;  // in steps

  // What was learned from seen_.
  std::vector<decide::Step> seen_;
  gp::Points points_;
  gp::DeepKernel kernel_;
  float best_ = 0.0F;
  size_t since_best_ = 0;
};

}  // namespace cmbo::baselines
