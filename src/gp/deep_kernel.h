// SPDX-License-Identifier: Apache-2.0
//
// A Gaussian process over the features of a network (Wilson et al., "Deep Kernel Learning", 2016):
// k(x, x') = k(phi(x), phi(x')). Network and process are trained together by Adam on
// -log p(y) / n. Copies are independent. One thread at a time.
#pragma once

#include "gp/feature_network.h"
#include "gp/parameters.h"

namespace cmbo::gp {

// Points [R][row] with one value each.
struct Points {
  std::vector<float> x;
  std::vector<double> y;

  size_t size() const { return y.size(); }
};

// Adam's memory: fresh for every new training.
struct Adam {
  std::vector<float> m, v;
  uint64_t step = 0;
};

class DeepKernel {
 public:
  // One lengthscale for all features. Weights are drawn; the process starts at GPyTorch's values,
  // softplus(0) for noise, variance and lengthscale, and mean 0.
  DeepKernel(FeatureShape shape, KernelKind kind, Random random);

  // One step of Adam on all points; the loss before it. Nothing, and no change, where it is not a
  // finite number.
  std::optional<double> train_step(const Points& points, float learning_rate, Adam& adam);
  // `steps` of them with a fresh Adam, on at least two points: one says nothing of a kernel.
  void train(const Points& points, size_t steps, float learning_rate);

  // The posterior at the rows of x given the points; without any, the prior. Nothing where the
  // covariance cannot be factorized.
  std::optional<Prediction> predict(const Points& given, std::span<const float> x);
  double noise() const { return process().noise; }

  // -log p(y) / n and its gradient with respect to all parameters().
  std::optional<double> loss(const Points& points, std::span<float> gradient);
  std::span<float> parameters() { return parameters_; }

 private:
  Process process() const;
  Matrix features_of(std::span<const float> x);

  FeatureNetwork network_;
  KernelKind kind_;
  std::vector<float> parameters_;  // the network's, then the process's
  FeatureTape tape_;
};

}  // namespace cmbo::gp
