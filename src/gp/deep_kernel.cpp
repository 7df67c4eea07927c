// SPDX-License-Identifier: Apache-2.0
#include "gp/deep_kernel.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "tensor/adamw.h"

namespace cmbo::gp {

DeepKernel::DeepKernel(FeatureShape shape, KernelKind kind, Random random)
    : network_(std::move(shape)),
      kind_(kind),
      parameters_(network_.parameter_count() + parameter_count(1)) {
  network_.initialize(random, std::span(parameters_).first(network_.parameter_count()));
}

Process DeepKernel::process() const {
  return to_process(kind_, std::span(parameters_).subspan(network_.parameter_count()));
}

Matrix DeepKernel::features_of(std::span<const float> x) {
  const size_t rows = x.size() / network_.shape().row(), width = network_.shape().features();
  std::vector<float> y(rows * width);
  network_.forward(std::span(parameters_).first(network_.parameter_count()), x, tape_, y);
  Matrix features(rows, width);
  std::copy(y.begin(), y.end(), features.values.begin());
  return features;
}

std::optional<double> DeepKernel::loss(const Points& points, std::span<float> gradient) {
  CHECK(gradient.size() == parameters_.size(), "sizes differ");
  const Matrix features = features_of(points.x);
  const std::optional<Likelihood> likelihood = log_likelihood(process(), {features, points.y});
  if (!likelihood || !std::isfinite(likelihood->value)) return std::nullopt;

  const double scale = -1.0 / static_cast<double>(points.size());
  std::vector<float> dy(features.values.size());
  const Matrix& dx = likelihood->gradients.kernel.x;
  std::transform(dx.values.begin(), dx.values.end(), dy.begin(),
                 [&](double value) { return static_cast<float>(scale * value); });
  const size_t count = network_.parameter_count();
  network_.backward(std::span(parameters_).first(count), points.x, tape_, dy,
                    gradient.first(count));
  std::vector<double> rest(parameters_.size() - count);
  to_free_gradient(std::span(parameters_).subspan(count), likelihood->gradients, rest);
  std::transform(rest.begin(), rest.end(), gradient.begin() + static_cast<std::ptrdiff_t>(count),
                 [&](double value) { return static_cast<float>(scale * value); });
  return scale * likelihood->value;
}

std::optional<double> DeepKernel::train_step(const Points& points, float learning_rate,
                                             Adam& adam) {
  std::vector<float> gradient(parameters_.size());
  const std::optional<double> before = loss(points, gradient);
  if (!before || !std::isfinite(tensor::sum_of_squares(gradient.size(), gradient.data()))) {
    return std::nullopt;
  }
  adam.m.resize(parameters_.size());
  adam.v.resize(parameters_.size());
  tensor::adamw_step(
      {.learning_rate = learning_rate}, ++adam.step,
      {parameters_.size(), parameters_.data(), gradient.data(), adam.m.data(), adam.v.data()});
  return before;
}

void DeepKernel::train(const Points& points, size_t steps, float learning_rate) {
  if (points.size() < 2) return;
  Adam adam;
  for (size_t i = 0; i < steps; ++i) {
    if (!train_step(points, learning_rate, adam)) return;
  }
}

std::optional<Prediction> DeepKernel::predict(const Points& given, std::span<const float> x) {
  const Process prior = process();
  const Matrix asked = features_of(x);
  if (given.size() == 0) {
    return Prediction{std::vector<double>(asked.rows, prior.mean),
                      std::vector<double>(asked.rows, prior.kernel.variance)};
  }
  const Matrix known = features_of(given.x);
  const std::optional<Posterior> posterior = Posterior::of(prior, {known, given.y});
  if (!posterior) return std::nullopt;
  return (*posterior)(asked);
}

}  // namespace cmbo::gp
