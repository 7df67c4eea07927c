// SPDX-License-Identifier: Apache-2.0
#include "gp/parameters.h"

#include <cmath>

#include "base/check.h"

namespace cmbo::gp {

namespace {

double sigmoid(double p) {
  return 1.0 / (1.0 + std::exp(-p));
}

}  // namespace

double softplus(double p) {
  return p > 30.0 ? p : std::log1p(std::exp(p));
}

double inverse_softplus(double value) {
  return value > 30.0 ? value : std::log(std::expm1(value));
}

Process to_process(KernelKind kind, std::span<const float> parameters) {
  CHECK(parameters.size() > 3, "a process has at least one lengthscale");
  const auto positive = [&](size_t i) { return softplus(static_cast<double>(parameters[i])); };
  Process process{static_cast<double>(parameters[0]), kLeastNoise + positive(1), {}};
  process.kernel = {kind, positive(2), {}};
  for (size_t i = 3; i < parameters.size(); ++i) {
    process.kernel.lengthscales.push_back(positive(i));
  }
  return process;
}

void to_free_gradient(std::span<const float> parameters, const LikelihoodGradients& gradients,
                      std::span<double> out) {
  const auto chain = [&](size_t i) { return sigmoid(static_cast<double>(parameters[i])); };
  out[0] = gradients.mean;
  out[1] = gradients.noise * chain(1);
  out[2] = gradients.kernel.variance * chain(2);
  for (size_t i = 3; i < parameters.size(); ++i) {
    out[i] = gradients.kernel.lengthscales[i - 3] * chain(i);
  }
}

}  // namespace cmbo::gp
