// SPDX-License-Identifier: Apache-2.0
//
// AdamW over flat arrays (Adam is weight_decay = 0), and the norm that clipping needs.
#pragma once

#include <cstddef>
#include <cstdint>

namespace cmbo::tensor {

struct AdamW {
  float learning_rate = 1e-3F;
  float beta1 = 0.9F;
  float beta2 = 0.999F;
  float epsilon = 1e-8F;
  float weight_decay = 0.0F;    // decoupled: the parameter shrinks by learning_rate * weight_decay
  float gradient_scale = 1.0F;  // multiplies the gradient first: clipping, or 1/batch
};

// Arrays of n floats that do not overlap; params, m and v are updated, m and v start at zero.
struct AdamWArrays {
  size_t n;
  float* params;
  const float* grads;
  float* m;
  float* v;
};

// The step-th update, counted from 1. Elements are independent: any cut into sub-arrays, done in
// any order, gives the same bits.
void adamw_step(const AdamW& options, uint64_t step, const AdamWArrays& arrays);

// Sum of x[i]^2; its square root over all gradients is the global norm. Relative error below 1e-5.
double sum_of_squares(size_t n, const float* x);

// The gradient_scale that clips a gradient of this sum of squares to the norm `limit`.
float clip_scale(double sum_of_squares, float limit);

}  // namespace cmbo::tensor
