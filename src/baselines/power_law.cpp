// SPDX-License-Identifier: Apache-2.0
#include "baselines/power_law.h"

#include <cmath>

#include "base/check.h"
#include "tensor/adamw.h"

namespace cmbo::baselines {

namespace {

constexpr size_t kCoefficients = 3;

gp::FeatureShape power_law_shape(size_t dimensions, std::span<const size_t> hidden) {
  gp::FeatureShape shape{
      .inputs = dimensions, .widths = {hidden.begin(), hidden.end()}, .activate_last = false};
  shape.widths.push_back(kCoefficients);
  return shape;
}

struct Silu {
  double value, slope;
};

Silu silu(double x) {
  const double s = 1.0 / (1.0 + std::exp(-x));
  return {x * s, s * (1.0 + x * (1.0 - s))};
}

}  // namespace

void CurvePoints::add(std::span<const float> configuration, float at, float value) {
  x.insert(x.end(), configuration.begin(), configuration.end());
  share.push_back(at);
  error.push_back(value);
}

void CurvePoints::add(const CurvePoints& other, size_t i) {
  add(std::span(other.x).subspan(i * dimensions, dimensions), other.share[i], other.error[i]);
}

PowerLawNetwork::PowerLawNetwork(size_t dimensions, std::span<const size_t> hidden, Random random)
    : network_(power_law_shape(dimensions, hidden)), parameters_(network_.parameter_count()) {
  network_.initialize(random, parameters_);
}

double PowerLawNetwork::loss(const CurvePoints& batch, std::span<float> gradient) {
  CHECK(batch.size() > 0, "an empty batch");
  std::vector<float> out(batch.size() * kCoefficients);
  network_.forward(parameters_, batch.x, tape_, out);
  const double scale = 1.0 / static_cast<double>(batch.size());
  double sum = 0.0;
  for (size_t i = 0; i < batch.size(); ++i) {
    float* const coefficients = &out[i * kCoefficients];
    const Silu b = silu(static_cast<double>(coefficients[1]));
    const Silu c = silu(static_cast<double>(coefficients[2]));
    const double log_share = std::log(static_cast<double>(batch.share[i]));
    const double power = std::exp(-c.value * log_share);
    const double off = static_cast<double>(coefficients[0]) + b.value * power -
                       static_cast<double>(batch.error[i]);
    sum += scale * std::abs(off);
    const double d = off > 0.0 ? scale : -scale;
    coefficients[0] = static_cast<float>(d);
    coefficients[1] = static_cast<float>(d * b.slope * power);
    coefficients[2] = static_cast<float>(-d * b.value * power * log_share * c.slope);
  }
  network_.backward(parameters_, batch.x, tape_, out, gradient);
  return sum;
}

void PowerLawNetwork::train_step(const CurvePoints& batch, float learning_rate, gp::Adam& adam) {
  std::vector<float> gradient(parameters_.size());
  const double value = loss(batch, gradient);
  if (!std::isfinite(value + tensor::sum_of_squares(gradient.size(), gradient.data()))) return;
  adam.m.resize(parameters_.size());
  adam.v.resize(parameters_.size());
  tensor::adamw_step(
      {.learning_rate = learning_rate}, ++adam.step,
      {parameters_.size(), parameters_.data(), gradient.data(), adam.m.data(), adam.v.data()});
}

std::vector<double> PowerLawNetwork::last_errors(std::span<const float> x) {
  const size_t rows = x.size() / network_.shape().inputs;
  std::vector<float> out(rows * kCoefficients);
  network_.forward(parameters_, x, tape_, out);
  std::vector<double> errors;
  for (size_t i = 0; i < rows; ++i) {
    errors.push_back(static_cast<double>(out[i * kCoefficients]) +
                     silu(static_cast<double>(out[i * kCoefficients + 1])).value);
  }
  return errors;
}

}  // namespace cmbo::baselines
