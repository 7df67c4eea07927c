// SPDX-License-Identifier: Apache-2.0
//
// Layer normalization of the rows of a matrix [R][N]: y = gamma (x - mean) / std + beta, with
// std = sqrt(variance + 1e-5).
#pragma once

#include "tensor/shapes.h"

namespace cmbo::tensor {

struct LayerNormWeights {
  const float* gamma;  // [N]
  const float* beta;   // [N]
};

// x [R][N] -> y [R][N], which may be x. stats [R][2] gets mean and 1/std for the backward pass;
// null = not wanted.
void layer_norm_forward(Rows s, const float* x, LayerNormWeights weights, float* y, float* stats);

struct LayerNormSaved {
  const float* x;      // [R][N] the input of the forward pass
  const float* stats;  // [R][2]
  const float* gamma;  // [N]
};
struct LayerNormGradients {
  float* dgamma;  // [N] added to
  float* dbeta;   // [N] added to
};

// dy [R][N] -> dx [R][N], which may be dy; adds to the gradients of the weights.
void layer_norm_backward(Rows s, LayerNormSaved saved, const float* dy, float* dx,
                         LayerNormGradients gradients);

}  // namespace cmbo::tensor
