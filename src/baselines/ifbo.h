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

#include <functional>

#include "decide/policy.h"
#include "forecast/forecaster.h"

namespace cmbo::baselines {

// As many samples, at least one, of the epoch of each asked row: [Q][S]. The same answer to the
// same question.
using EpochForecaster =
    std::function<Result<std::vector<float>>(const forecast::EpochQuestion& question)>;

class Ifbo : public decide::Policy {
 public:
  Ifbo(EpochForecaster forecaster, uint64_t seed);

  // An error is the forecaster's.
  Result<decide::Choice> choose(const decide::History& history) override;

 private:
  EpochForecaster forecaster_;
  uint64_t seed_;
};

}  // namespace cmbo::baselines
