// SPDX-License-Identifier: Apache-2.0
#include "gp/regression.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/check.h"

namespace cmbo::gp {

namespace {

void add_noise(const Process& process, const Observations& observed, Matrix& a) {
  CHECK(observed.x.rows > 0 && observed.y.size() == observed.x.rows, "one value for each point");
  CHECK(observed.extra_noise.empty() || observed.extra_noise.size() == a.rows,
        "extra noise for all or none");
  for (size_t i = 0; i < a.rows; ++i) {
    a(i, i) += process.noise;
    if (!observed.extra_noise.empty()) a(i, i) += observed.extra_noise[i];
  }
}

std::vector<double> centred(const Process& process, std::span<const double> y) {
  std::vector<double> values(y.begin(), y.end());
  for (double& value : values) value -= process.mean;
  return values;
}

}  // namespace

std::optional<Likelihood> log_likelihood(const Process& process, const Observations& observed) {
  const KernelForward forward = kernel_forward(process.kernel, observed.x);
  Matrix a = forward.k;
  add_noise(process, observed, a);
  const std::optional<Factor> factor = factorize(a);
  if (!factor) return std::nullopt;

  const auto n = static_cast<double>(a.rows);
  const std::vector<double> centre = centred(process, observed.y);
  const std::vector<double> weights = solve(factor->L, centre);
  Likelihood result;
  result.value = -0.5 * dot(centre, weights) - 0.5 * log_determinant(factor->L) -
                 0.5 * n * std::log(2.0 * std::numbers::pi);

  // d log p / dA = (w w^T - A^-1) / 2.
  Matrix da = inverse(factor->L);
  for (size_t i = 0; i < a.rows; ++i) {
    for (size_t j = 0; j < a.rows; ++j) da(i, j) = 0.5 * (weights[i] * weights[j] - da(i, j));
    result.gradients.mean += weights[i];
    result.gradients.noise += da(i, i);
  }
  result.gradients.kernel = kernel_backward(process.kernel, forward, da);
  return result;
}

std::optional<Posterior> Posterior::of(const Process& process, const Observations& observed) {
  Matrix a = kernel_matrix(process.kernel, observed.x, observed.x);
  add_noise(process, observed, a);
  std::optional<Factor> factor = factorize(a);
  if (!factor) return std::nullopt;
  Posterior posterior(process, observed.x, std::move(factor->L));
  posterior.weights_ = solve(posterior.L_, centred(process, observed.y));
  return posterior;
}

Prediction Posterior::operator()(const Matrix& x) const {
  Matrix k = kernel_matrix(process_.kernel, x_, x);  // [n][m]
  Prediction prediction{std::vector<double>(x.rows, process_.mean),
                        std::vector<double>(x.rows, process_.kernel.variance)};
  for (size_t i = 0; i < k.rows; ++i) {
    for (size_t j = 0; j < k.columns; ++j) prediction.mean[j] += weights_[i] * k(i, j);
  }
  solve_lower(L_, k);
  for (size_t i = 0; i < k.rows; ++i) {
    for (size_t j = 0; j < k.columns; ++j) prediction.variance[j] -= k(i, j) * k(i, j);
  }
  for (double& variance : prediction.variance) variance = std::max(0.0, variance);
  return prediction;
}

double expected_improvement(double mean, double deviation, double best) {
  const double gain = mean - best;
  if (deviation <= 0.0) return std::max(0.0, gain);
  const double z = gain / deviation;
  const double density = std::exp(-0.5 * z * z) / std::sqrt(2.0 * std::numbers::pi);
  const double below = 0.5 * std::erfc(-z / std::numbers::sqrt2);
  return std::max(0.0, gain * below + deviation * density);
}

}  // namespace cmbo::gp
