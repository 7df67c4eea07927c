// SPDX-License-Identifier: Apache-2.0
//
// Gradient descent with a heavy ball:  m = momentum m + g + weight_decay w,  w = w - rate m.
#pragma once

#include <cstddef>
#include <span>

namespace cmbo::digits {

struct MomentumStep {
  float rate;
  float momentum;
  float weight_decay;
};

// All of one length.
void momentum_step(const MomentumStep& step, std::span<const float> gradient,
                   std::span<float> momentum, std::span<float> weights);

}  // namespace cmbo::digits
