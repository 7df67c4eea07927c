// SPDX-License-Identifier: Apache-2.0
//
// A multilayer perceptron: `depth` hidden layers of `width` with GELU and dropout, then one logit
// for each class. Forward and backward pass on the kernels of src/tensor. Letters: R rows of a
// batch, F features, H width, C classes.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/random.h"

namespace cmbo::digits {

struct NetworkShape {
  size_t features;
  size_t width;
  size_t depth;  // at least 1
  size_t classes;
};

// What a pass leaves behind for the next; belongs to the caller and grows as needed.
struct Workspace {
  std::vector<std::vector<float>> pre;     // of each hidden layer [R][H], before GELU
  std::vector<std::vector<float>> hidden;  // [R][H], after GELU and dropout
  std::vector<float> logits;               // [R][C]; after a backward pass their gradient
  std::vector<float> losses;               // [R]
  std::vector<float> row_weights;          // [R]
  std::vector<float> gradient, next;       // [R][H] on the way back
};

struct Batch {
  std::span<const float> x;          // [R][F]
  std::span<const uint32_t> labels;  // [R]
  size_t rows() const { return labels.size(); }
};

struct DropoutOptions {
  float probability = 0.0F;
  uint64_t seed = 0;  // another one for every step
};

// Immutable; weights are one flat array that the caller owns.
class Network {
 public:
  explicit Network(const NetworkShape& shape);

  size_t weight_count() const { return weight_count_; }
  // Normal with variance 2/inputs; biases 0.
  void initialize(Random& random, std::span<float> weights) const;

  // Fills workspace.logits and workspace.losses.
  void forward(std::span<const float> weights, const Batch& batch, const DropoutOptions& dropout,
               Workspace& workspace) const;
  // After forward() with the same arguments: sets `gradient` to that of the batch's mean loss.
  void backward(std::span<const float> weights, const Batch& batch, const DropoutOptions& dropout,
                Workspace& workspace, std::span<float> gradient) const;

 private:
  struct Layer {
    size_t inputs, outputs;
    size_t W, b;  // where they begin among the weights
  };

  void hidden_backward(size_t layer, const DropoutOptions& dropout, Workspace& workspace) const;

  NetworkShape shape_;
  std::vector<Layer> layers_;
  size_t weight_count_ = 0;
};

}  // namespace cmbo::digits
