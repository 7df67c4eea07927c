// SPDX-License-Identifier: Apache-2.0
//
// How weights follow their gradients: Muon for the matrices of the transformer's blocks, AdamW for
// everything else (what leads into the blocks, what reads them, gains and biases).
#pragma once

#include <span>
#include <vector>

#include "base/thread_pool.h"
#include "network/parameter_table.h"

namespace cmbo::training {

struct OptimizerOptions {
  bool muon = true;  // or AdamW for all
  float weight_decay = 0.01F;
  float clip_norm = 1.0F;  // of the whole gradient
};

// Arrays of as many floats as there are parameters. The moments start at zero; moment2 is AdamW's.
struct Weights {
  std::span<float> values, moment1, moment2;
};

class Optimizer {
 public:
  Optimizer(const network::ParameterTable& table, const OptimizerOptions& options);

  // The step-th update, counted from 1, by `scale` times the sum of the gradients. The first of
  // them is overwritten by that sum. The same for any number of threads.
  void update(size_t step, float learning_rate, float scale,
              std::span<std::vector<float>> gradients, const Weights& weights,
              ThreadPool& pool) const;

 private:
  // A run of parameters that is updated at once.
  struct Piece {
    size_t first, size;
    size_t rows = 0, columns = 0;  // of a matrix for Muon
  };

  OptimizerOptions options_;
  std::vector<Piece> pieces_;
};

}  // namespace cmbo::training
