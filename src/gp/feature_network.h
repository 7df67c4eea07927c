// SPDX-License-Identifier: Apache-2.0
//
// A small perceptron from a point to features, with an optional look at a learning curve:
//
//   h_0 = u,  h_i = a(W_i h_(i-1) + b_i),  where before the last layer h is joined by
//   c_k = max over t of (sum over s of V_ks curve_(t+s) + d_k),  s = 0, 1, 2
//
// a(h) = max(h, slope h); the last layer may go without it. Rows of the input are [u | curve].
// Weights are a flat array that the caller owns; initial ones are uniform in +-1/sqrt(fan in).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/random.h"

namespace cmbo::gp {

struct FeatureShape {
  size_t inputs = 1;                // of u
  size_t curve = 0;                 // epochs of the curve, at least 3; 0 = none
  size_t channels = 4;              // k, where there is a curve
  std::vector<size_t> widths = {};  // of every layer; the last is the number of features
  float slope = 0.01F;
  bool activate_last = true;

  size_t row() const { return inputs + curve; }
  size_t features() const { return widths.back(); }
};

// A pass's intermediate values; belongs to the caller, grows as needed.
struct FeatureTape {
  size_t rows = 0;
  std::vector<std::vector<float>> in;   // input of each layer
  std::vector<std::vector<float>> pre;  // what a is applied to
  std::vector<uint32_t> where;          // [rows][channels] the epoch of the maximum
};

class FeatureNetwork {
 public:
  explicit FeatureNetwork(FeatureShape shape);

  const FeatureShape& shape() const { return shape_; }
  size_t parameter_count() const { return count_; }
  void initialize(Random& random, std::span<float> parameters) const;

  // x [R][row()] -> y [R][features()].
  void forward(std::span<const float> parameters, std::span<const float> x, FeatureTape& tape,
               std::span<float> y) const;
  // dy [R][features()], overwritten -> the gradient of all parameters, which is set. After the
  // forward pass of the same x and tape.
  void backward(std::span<const float> parameters, std::span<const float> x, FeatureTape& tape,
                std::span<float> dy, std::span<float> gradient) const;

 private:
  struct Layer {
    size_t inputs, outputs;
    size_t weights, biases;  // places in the flat array
  };

  void look_at_curves(std::span<const float> parameters, std::span<const float> x,
                      FeatureTape& tape) const;
  void curves_backward(std::span<const float> x, const FeatureTape& tape,
                       std::span<const float> d_in, std::span<float> gradient) const;

  FeatureShape shape_;
  std::vector<Layer> layers_;
  size_t curve_weights_ = 0;  // places of V [channels][3] and d [channels]
  size_t curve_biases_ = 0;
  size_t count_ = 0;
};

}  // namespace cmbo::gp
