// SPDX-License-Identifier: Apache-2.0
#include "tensor/layer_norm.h"

#include "tensor/kernels.h"

namespace cmbo::tensor {

void layer_norm_forward(Rows s, const float* x, LayerNormWeights weights, float* y, float* stats) {
  kernels().layer_norm_forward(s, x, weights, y, stats);
}

void layer_norm_backward(Rows s, LayerNormSaved saved, const float* dy, float* dx,
                         LayerNormGradients gradients) {
  kernels().layer_norm_backward(s, saved, dy, dx, gradients);
}

}  // namespace cmbo::tensor
