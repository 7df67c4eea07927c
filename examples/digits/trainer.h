// SPDX-License-Identifier: Apache-2.0
//
// Stochastic gradient descent with momentum, an epoch at a time. All randomness comes from the
// seed and the number of the epoch, so a training that was frozen goes on to the bit as if it had
// not been.
#pragma once

#include <vector>

#include "digits/data_set.h"
#include "digits/hyperparameters.h"
#include "digits/network.h"

namespace cmbo::digits {

// What does not change during a training.
struct Plan {
  Hyperparameters parameters;
  size_t epochs = 50;  // the horizon, for the schedule
  uint64_t seed = 1;   // of first weights, order of samples and dropout
};

// After an epoch; all NaN once the training has diverged.
struct Metrics {
  double val_acc;
  double val_loss;    // mean over the validation samples
  double train_loss;  // mean over the epoch, with dropout; NaN before the first

  bool diverged() const;
};

// All that a frozen training needs to go on.
struct State {
  std::vector<float> weights;
  std::vector<float> momentum;
  std::vector<Metrics> history;  // of epochs 1, 2, ...

  size_t step() const { return history.size(); }
};

// One training at a time. Not thread-safe; several trainers may share `data`, which must outlive
// them.
class Trainer {
 public:
  Trainer(const Split& data, const Plan& plan);

  State start() const;
  // How well the network does as it is.
  Metrics evaluate(const State& state);
  // Trains one more epoch and adds its metrics to the history. If a mean loss is not finite, or ten
  // times that of guessing, they are NaN, and so are all that follow, without further training.
  void train_epoch(State& state);

 private:
  double train_batches(State& state);
  void load_batch(std::span<const size_t> samples);
  void step(State& state, double progress, uint64_t number);

  const Split& data_;
  Plan plan_;
  Network network_;
  Workspace workspace_;
  std::vector<float> gradient_;
  std::vector<float> x_;  // of the batch
  std::vector<uint32_t> labels_;
};

}  // namespace cmbo::digits
