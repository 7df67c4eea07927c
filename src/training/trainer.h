// SPDX-License-Identifier: Apache-2.0
//
// The training loop: examples from recorded tables and the synthetic prior, a rate with warm-up and
// cosine decay, an exponential average of the weights, held-out loss along the way.
//
// Step k uses random streams that depend on the seed and k alone, each example's gradient is
// computed by one thread and the sum runs in a fixed order: the result is the same for any number
// of threads, and a resumed run goes on as if it had not been interrupted.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "base/thread_pool.h"
#include "curves/curve_table.h"
#include "curves/mixup.h"
#include "curves/prior.h"
#include "network/network.h"
#include "training/example.h"
#include "training/optimizer.h"

namespace cmbo::training {

struct TrainingOptions {
  uint64_t seed = 1;
  size_t batch = 8;                 // examples of a step
  double prior_share = 0.0;         // of the examples: from the synthetic prior, not from the data
  size_t rows = 256;                // configurations of a drawn table
  double blended_share = 0.0;       // of the recorded or mixed tables: blend_with_prior()
  double warped_share = 0.5;        // of the recorded or mixed tables: stretched, see curves/warp.h
  double warp_strength = 0.3;       // of these
  double single_curve_share = 0.1;  // of the examples: without the help of other configurations
  float learning_rate = 1e-3F;      // after the warm-up
  double warm_up_share = 0.05;      // of the run: linear from 0
  double average_decay = 0.999;     // of the averaged weights, for each step
  OptimizerOptions optimizer;
  ExampleOptions example;
  curves::MixupOptions mixup;
  curves::PriorOptions prior;
};

// Everything that changes during training.
struct TrainingState {
  size_t step = 0;  // steps done
  std::vector<float> weights;
  std::vector<float> moment1, moment2;  // of the optimizer
  std::vector<float> average;           // of the weights: what is evaluated and kept
};

class Trainer {
 public:
  // `tables` may be empty if everything comes from the prior. References outlive the trainer.
  Trainer(const network::Network& network, const network::Bars& bars,
          std::vector<curves::CurveTable> tables, const TrainingOptions& options);

  TrainingState start() const;
  // From weights of an earlier training, an arena of the network's table.
  static TrainingState start_from(std::vector<float> weights);
  // One step on `pool`, `progress` (0..1) of the way through the run; returns the mean loss of its
  // examples (negative log density).
  double step(TrainingState& state, double progress, ThreadPool& pool);

  // Example `index` of a step: a function of the seed and both numbers alone.
  Example draw(size_t step, size_t index) const;

  // Rises linearly to its peak, then falls along a cosine to 0.
  float learning_rate(double progress) const;

 private:
  const network::Network& network_;
  const network::Bars& bars_;
  TrainingOptions options_;
  Optimizer optimizer_;
  std::unique_ptr<curves::Mixup> mixup_;       // null without tables
  std::vector<std::vector<float>> gradients_;  // one arena for each example of a batch
};

// Mean negative log density of `weights` on the examples.
double mean_loss(const network::Network& network, const network::Bars& bars,
                 std::span<const float> weights, std::span<const Example> examples,
                 ThreadPool& pool);

}  // namespace cmbo::training
