// SPDX-License-Identifier: Apache-2.0
#include "tensor/linear.h"

#include <algorithm>

#include "tensor/gemm.h"
#include "tensor/kernels.h"

namespace cmbo::tensor {
namespace {

// Rows that are multiplied at a time, so that what follows finds them in the cache. The product
// itself loses nothing at this size.
constexpr size_t kBlockRows = 256;

// finish(first, rows): called for every block of rows after y = x W^T is there.
template <typename F>
void multiply_blocks(LinearShape s, const float* x, const float* W, float* y, F finish) {
  for (size_t first = 0; first < s.R; first += kBlockRows) {
    const Rows block = {std::min(kBlockRows, s.R - first), s.N};
    gemm_nt({.M = block.R, .N = s.N, .K = s.K}, x + first * s.K, W, y + first * s.N);
    finish(first, block);
  }
}

}  // namespace

void linear_forward(LinearShape s, const float* x, LinearWeights weights, float* y) {
  multiply_blocks(s, x, weights.W, y, [&](size_t first, Rows block) {
    if (weights.b != nullptr) kernels().add_bias(block, weights.b, y + first * s.N);
  });
}

void linear_gelu_forward(LinearShape s, const float* x, LinearWeights weights, float* pre,
                         float* y) {
  multiply_blocks(s, x, weights.W, pre, [&](size_t first, Rows block) {
    float* const p = pre + first * s.N;
    if (weights.b != nullptr) return kernels().add_bias_gelu(block, weights.b, p, y + first * s.N);
    kernels().gelu_forward(block.size(), p, y + first * s.N);
  });
}

void linear_backward(LinearShape s, LinearSaved saved, const float* dy,
                     const LinearGradients& gradients) {
  if (gradients.dx != nullptr) {
    gemm_nn({.M = s.R, .N = s.K, .K = s.N, .beta = gradients.add_dx ? 1.0F : 0.0F}, dy, saved.W,
            gradients.dx);
  }
  if (gradients.dW != nullptr) {
    gemm_tn({.M = s.N, .N = s.K, .K = s.R, .beta = gradients.add_dW ? 1.0F : 0.0F}, dy, saved.x,
            gradients.dW);
  }
  if (gradients.db != nullptr) {
    if (!gradients.add_dW) std::fill_n(gradients.db, s.N, 0.0F);
    kernels().add_column_sums({s.R, s.N}, dy, gradients.db);
  }
}

}  // namespace cmbo::tensor
