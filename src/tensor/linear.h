// SPDX-License-Identifier: Apache-2.0
//
// Linear layers: y [R][N] = x [R][K] W^T + b, with W [N][K] (outputs first, as others store it).
#pragma once

#include <cstddef>

namespace cmbo::tensor {

struct LinearShape {
  size_t R;  // rows
  size_t K;  // inputs
  size_t N;  // outputs
};

struct LinearWeights {
  const float* W;            // [N][K]
  const float* b = nullptr;  // [N]; null = no bias
};

// x [R][K] -> y [R][N], which must not overlap x.
void linear_forward(LinearShape s, const float* x, LinearWeights weights, float* y);

// y = gelu(pre), pre = x W^T + b; both [R][N]. pre is for the backward pass; where there will be
// none, pre may be y.
void linear_gelu_forward(LinearShape s, const float* x, LinearWeights weights, float* pre,
                         float* y);

struct LinearSaved {
  const float* x;  // [R][K] the input of the forward pass
  const float* W;  // [N][K]
};

struct LinearGradients {
  float* dW;            // [N][K]; null = not wanted
  float* db = nullptr;  // [N]; null = not wanted
  float* dx = nullptr;  // [R][K]; null = not wanted; must not overlap dy
  // Whether to add to what is there, or to set.
  bool add_dW = true;  // and db
  bool add_dx = false;
};

// dy [R][N] -> gradients. After linear_gelu_forward, dy is that of pre: see gelu_backward.
void linear_backward(LinearShape s, LinearSaved saved, const float* dy,
                     const LinearGradients& gradients);

}  // namespace cmbo::tensor
