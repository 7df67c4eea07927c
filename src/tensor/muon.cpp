// SPDX-License-Identifier: Apache-2.0
#include "tensor/muon.h"

#include <algorithm>
#include <cmath>

#include "tensor/adamw.h"
#include "tensor/gemm.h"

namespace cmbo::tensor {

namespace {

// x -> a x + b x^3 + c x^5 drives singular values of (0, 1] towards 1, small ones fast.
constexpr float kA = 3.4445F, kB = -4.7750F, kC = 2.0315F;
constexpr int kIterations = 5;
// Size of an element of an update, in learning rates.
constexpr float kRate = 0.6F;

}  // namespace

void orthogonalize(size_t rows, size_t columns, float* x, std::vector<float>& scratch) {
  const size_t n = rows * columns, small = std::min(rows, columns), large = std::max(rows, columns);
  const auto norm = static_cast<float>(std::sqrt(sum_of_squares(n, x)));
  if (!(norm > 0.0F)) return;
  for (size_t i = 0; i < n; ++i) x[i] /= norm;
  scratch.resize(2 * small * small + n);
  float* const square = scratch.data();
  float* const mixed = square + small * small;
  float* const next = mixed + small * small;
  for (int k = 0; k < kIterations; ++k) {
    const Gemm gram = {.M = small, .N = small, .K = large};
    if (rows <= columns) {
      gemm_nt(gram, x, x, square);
    } else {
      gemm_tn(gram, x, x, square);
    }
    std::copy_n(square, small * small, mixed);
    gemm_nn({.M = small, .N = small, .K = small, .alpha = kC, .beta = kB}, square, square, mixed);
    std::copy_n(x, n, next);
    const Gemm product = {.M = rows, .N = columns, .K = small, .beta = kA};
    if (rows <= columns) {
      gemm_nn(product, mixed, x, next);
    } else {
      gemm_nn(product, x, mixed, next);
    }
    std::copy_n(next, n, x);
  }
}

void muon_step(const Muon& options, const MuonMatrix& matrix, std::vector<float>& scratch) {
  const size_t n = matrix.rows * matrix.columns;
  std::vector<float> update(n);
  for (size_t i = 0; i < n; ++i) {
    const float gradient = options.gradient_scale * matrix.grads[i];
    matrix.momentum[i] = options.momentum * matrix.momentum[i] + gradient;
    update[i] = options.momentum * matrix.momentum[i] + gradient;  // Nesterov's
  }
  orthogonalize(matrix.rows, matrix.columns, update.data(), scratch);
  // Elements of about the size of AdamW's updates.
  const float rate = options.learning_rate * kRate *
                     std::sqrt(static_cast<float>(std::max(matrix.rows, matrix.columns)));
  const float decay = 1.0F - options.learning_rate * options.weight_decay;
  for (size_t i = 0; i < n; ++i) {
    matrix.params[i] = decay * matrix.params[i] - rate * update[i];
  }
}

}  // namespace cmbo::tensor
