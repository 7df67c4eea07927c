// SPDX-License-Identifier: Apache-2.0
//
// A network from a configuration to a power law of the share s = t/T of epochs, the member of an
// ensemble in dpl.h:
//
//   e(s) = a + silu(b) s^-silu(c),  (a, b, c) = network(x),  silu(b) = b / (1 + e^-b)
//
// trained by Adam on the mean of |e(s) - error|. Weights are drawn by the constructor's generator.
#pragma once

#include "gp/deep_kernel.h"

namespace cmbo::baselines {

// Rows of configurations, with the share of epochs and the error of each.
struct CurvePoints {
  size_t dimensions = 0;
  std::vector<float> x = {};      // [n][d]
  std::vector<float> share = {};  // in (0,1]
  std::vector<float> error = {};

  size_t size() const { return error.size(); }
  void add(std::span<const float> configuration, float at, float value);
  void add(const CurvePoints& other, size_t i);
};

class PowerLawNetwork {
 public:
  PowerLawNetwork(size_t dimensions, std::span<const size_t> hidden, Random random);

  // A batch that gives no finite gradient changes nothing.
  void train_step(const CurvePoints& batch, float learning_rate, gp::Adam& adam);
  // e(1) of every row of x [n][d].
  std::vector<double> last_errors(std::span<const float> x);

  // The loss and its gradient with respect to all parameters().
  double loss(const CurvePoints& batch, std::span<float> gradient);
  std::span<float> parameters() { return parameters_; }

 private:
  gp::FeatureNetwork network_;
  std::vector<float> parameters_;
  gp::FeatureTape tape_;
};

}  // namespace cmbo::baselines
