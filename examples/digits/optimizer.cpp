// SPDX-License-Identifier: Apache-2.0
#include "digits/optimizer.h"

#include "base/check.h"

namespace cmbo::digits {

void momentum_step(const MomentumStep& step, std::span<const float> gradient,
                   std::span<float> momentum, std::span<float> weights) {
  CHECK(gradient.size() == weights.size() && momentum.size() == weights.size(),
        "arrays of different length");
  const float* __restrict__ const g = gradient.data();
  float* __restrict__ const m = momentum.data();
  float* __restrict__ const w = weights.data();
  for (size_t i = 0; i < weights.size(); ++i) {
    m[i] = step.momentum * m[i] + g[i] + step.weight_decay * w[i];
    w[i] -= step.rate * m[i];
  }
}

}  // namespace cmbo::digits
