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
// An element of an update in learning rates, by size (root of the mean square). AdamW's are about
// 0.2 to 1; 0.2, 0.6, 1.2 and 2.4 were tried on the synthetic prior, and 0.6 was best.
constexpr float kRate = 0.6F;

}  // namespace

void orthogonalize(size_t rows, size_t columns, float* x, MuonScratch& scratch) {
  const size_t n = rows * columns, small = std::min(rows, columns), large = std::max(rows, columns);
  const bool wide = rows <= columns;
  const auto norm = static_cast<float>(std::sqrt(sum_of_squares(n, x)));
  if (!(norm > 0.0F)) return;
  for (size_t i = 0; i < n; ++i) x[i] /= norm;
  scratch.square.resize(small * small);
  float* const square = scratch.square.data();
  for (int k = 0; k < kIterations; ++k) {
    (wide ? gemm_nt : gemm_tn)({.M = small, .N = small, .K = large}, x, x, square);
    scratch.mixed = scratch.square;  // becomes b S + c S^2
    float* const mixed = scratch.mixed.data();
    gemm_nn({.M = small, .N = small, .K = small, .alpha = kC, .beta = kB}, square, square, mixed);
    scratch.next.assign(x, x + n);  // becomes a x + that times x
    float* const next = scratch.next.data();
    const Gemm product = {.M = rows, .N = columns, .K = small, .beta = kA};
    wide ? gemm_nn(product, mixed, x, next) : gemm_nn(product, x, mixed, next);
    std::copy_n(next, n, x);
  }
}

void muon_step(const Muon& options, const MuonMatrix& matrix, MuonScratch& scratch) {
  const size_t n = matrix.rows * matrix.columns;
  scratch.update.resize(n);
  float* const update = scratch.update.data();
  for (size_t i = 0; i < n; ++i) {
    const float gradient = options.gradient_scale * matrix.grads[i];
    matrix.momentum[i] = options.momentum * matrix.momentum[i] + gradient;
    update[i] = options.momentum * matrix.momentum[i] + gradient;  // Nesterov's
  }
  orthogonalize(matrix.rows, matrix.columns, update, scratch);
  const float rate = options.learning_rate * kRate *
                     std::sqrt(static_cast<float>(std::max(matrix.rows, matrix.columns)));
  const float decay = 1.0F - options.learning_rate * options.weight_decay;
  for (size_t i = 0; i < n; ++i) {
    matrix.params[i] = decay * matrix.params[i] - rate * update[i];
  }
}

}  // namespace cmbo::tensor
