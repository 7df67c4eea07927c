// SPDX-License-Identifier: Apache-2.0
//
// Deep power laws (Kadra et al., "Scaling Laws for Hyperparameter Optimization", 2023): an ensemble
// of networks, each from a configuration to a power law (power_law.h) of the error 1 - y, and the
// configuration with the largest expected improvement at the last epoch gets its next epoch:
//
//   n* = argmax of E max(0, (1 - e_n) - best),  e_n ~ N(mean, variance of the members at t = T)
//   best: of all values seen
//
// Defaults are those of the authors' code: 5 members with 2 hidden layers of 128 and leaky ReLU,
// Adam at 1e-3, batches of 64; after each of the first 10 steps 250 rounds from new weights, then
// 20 rounds of the same weights after every step with a fresh Adam and the newest point in every
// batch; new weights when 1.2 T steps brought no improvement; the first configuration at random.
// Otherwise: the authors cut a curve where it diverged, here diverged epochs have the error 1.
#pragma once

#include "baselines/power_law.h"
#include "decide/policy.h"

namespace cmbo::baselines {

struct DplOptions {
  size_t members = 5;
  std::vector<size_t> hidden = {128, 128};
  size_t batch = 64;
  size_t full_trainings = 10;  // the first steps after which weights are drawn anew
  size_t full_rounds = 250;
  size_t refine_rounds = 20;
  float learning_rate = 1e-3F;
  double patience = 1.2;  // horizons without improvement until weights are drawn anew
  uint64_t seed = 1;
};

class Dpl : public decide::Policy {
 public:
  // `pool`: for configurations and horizon.
  Dpl(const curves::CurveTable& pool, const DplOptions& options = {});

  Result<decide::Choice> choose(const decide::History& history) override;

 private:
  void draw_members();
  void forget();
  void follow(const decide::History& history);
  void learn(const curves::CurveTable& curves, const decide::Step& step);
  void train_member(size_t member, size_t rounds, bool stress_newest);

  DplOptions options_;
  size_t dimensions_;
  uint32_t first_;
  size_t patience_;  // in steps

  // What was learned from seen_.
  std::vector<decide::Step> seen_;
  CurvePoints points_;
  std::vector<PowerLawNetwork> members_;
  float best_ = 0.0F;
  size_t since_best_ = 0;
};

}  // namespace cmbo::baselines
