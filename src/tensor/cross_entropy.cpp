// SPDX-License-Identifier: Apache-2.0
#include "tensor/cross_entropy.h"

#include "base/check.h"
#include "tensor/kernels.h"

namespace cmbo::tensor {

void softmax_rows(Rows s, const float* x, float* y) {
  if (s.N > 0) kernels().softmax_rows(s, x, y);
}

void softmax_cross_entropy_forward(Rows s, const float* logits, const uint32_t* targets,
                                   float* losses, float* probabilities) {
  for (size_t r = 0; r < s.R; ++r) CHECK(targets[r] < s.N, "a target is not a class");
  kernels().cross_entropy_forward(s, logits, targets, losses, probabilities);
}

void softmax_cross_entropy_backward(Rows s, const float* probabilities, const uint32_t* targets,
                                    const float* weights, float* dlogits) {
  for (size_t r = 0; r < s.R; ++r) {
    CHECK(targets[r] < s.N, "a target is not a class");
    float* const row = dlogits + r * s.N;
    kernels().scale(s.N, weights[r], probabilities + r * s.N, row);
    row[targets[r]] -= weights[r];
  }
}

}  // namespace cmbo::tensor
