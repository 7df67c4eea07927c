// SPDX-License-Identifier: Apache-2.0
#include "tensor/adamw.h"

#include <cmath>

#include "base/check.h"
#include "tensor/kernels.h"

namespace cmbo::tensor {
namespace {

// 1 - beta^step, in double because it is a small difference of large numbers at first.
double bias_correction(float beta, uint64_t step) {
  return 1.0 - std::pow(static_cast<double>(beta), static_cast<double>(step));
}

}  // namespace

void adamw_step(const AdamW& options, uint64_t step, const AdamWArrays& arrays) {
  CHECK(step > 0, "steps count from 1");
  const AdamWFactors factors = {
      .beta1 = options.beta1,
      .beta2 = options.beta2,
      .gradient_scale = options.gradient_scale,
      .decay = 1.0F - options.learning_rate * options.weight_decay,
      .rate = static_cast<float>(static_cast<double>(options.learning_rate) /
                                 bias_correction(options.beta1, step)),
      .v_scale = static_cast<float>(1.0 / bias_correction(options.beta2, step)),
      .epsilon = options.epsilon};
  kernels().adamw(factors, arrays);
}

double sum_of_squares(size_t n, const float* x) {
  return kernels().sum_of_squares(n, x);
}

float clip_scale(double sum_of_squares, float limit) {
  const double norm = std::sqrt(sum_of_squares);
  return norm > static_cast<double>(limit) ? static_cast<float>(static_cast<double>(limit) / norm)
                                           : 1.0F;
}

}  // namespace cmbo::tensor
