// SPDX-License-Identifier: Apache-2.0
//
// The parameters of a process as free numbers, for gradient steps:
//
//   mean = p_0,  noise = 1e-4 + softplus(p_1),  variance = softplus(p_2),  l = softplus(p_3...)
//
// with softplus(p) = log(1 + e^p), as GPyTorch has them, so that learning rates mean the same.
#pragma once

#include "gp/regression.h"

namespace cmbo::gp {

constexpr double kLeastNoise = 1e-4;

// How many numbers a process with so many lengthscales has.
constexpr size_t parameter_count(size_t lengthscales) {
  return 3 + lengthscales;
}

Process to_process(KernelKind kind, std::span<const float> parameters);

// The gradient with respect to the numbers; as many as there are parameters.
void to_free_gradient(std::span<const float> parameters, const LikelihoodGradients& gradients,
                      std::span<double> out);

double softplus(double p);
double inverse_softplus(double value);  // value > 0

}  // namespace cmbo::gp
