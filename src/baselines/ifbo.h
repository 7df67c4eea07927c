// SPDX-License-Identifier: Apache-2.0
//
// ifBO (Rakotoarison et al., "In-Context Freeze-Thaw Bayesian Optimization for Hyperparameter
// Optimization", 2024): a network that was trained on synthetic curves only extrapolates all
// curves, and a randomized probability of improvement (MFPI-random) chooses the next epoch. Before
// each step, with t_n the epochs of n so far,
//
//   h ~ U{1, ..., T},  tau ~ U(-4, -1),  threshold = best + 10^tau (1 - best)
//   n* = argmax P(y_n(min(t_n + h, T)) > threshold)
//
// The probability is the share of sampled futures; among equal shares the configuration whose
// largest sample is the largest wins, then the first. The first step trains a random configuration.
//
// The network is ours, not the authors' FT-PFN. How many random configurations their experiments
// start with could not be established (their NePS takes as many as there are parameters); here 1.
#pragma once

#include "decide/cmbo_policy.h"

namespace cmbo::baselines {

class Ifbo : public decide::Policy {
 public:
  Ifbo(decide::Extrapolator extrapolator, uint64_t seed);

  // An error is the extrapolator's.
  Result<decide::Choice> choose(const decide::History& history) override;

 private:
  decide::Extrapolator extrapolator_;
  uint64_t seed_;
};

}  // namespace cmbo::baselines
