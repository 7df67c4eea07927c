// SPDX-License-Identifier: Apache-2.0
#include "tensor/elementwise.h"

#include "tensor/kernels.h"

namespace cmbo::tensor {

void residual_add(size_t n, const float* a, const float* b, float* y) {
  kernels().add(n, a, b, y);
}

void exp_values(size_t n, const float* x, float* y) {
  kernels().exp(n, x, y);
}

void gelu_forward(size_t n, const float* x, float* y) {
  kernels().gelu_forward(n, x, y);
}

void gelu_backward(size_t n, const float* x, const float* dy, float* dx) {
  kernels().gelu_backward(n, x, dy, dx);
}

}  // namespace cmbo::tensor
