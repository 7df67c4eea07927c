// SPDX-License-Identifier: Apache-2.0
//
// Products of row-major matrices by OpenBLAS (blas.h): C [M][N] = alpha op(A) op(B) + beta C, in
// the calling thread. With beta = 0, C may hold anything, NaN included. C must not overlap A or B.
#pragma once

#include <cstddef>

namespace cmbo::tensor {

struct Gemm {
  size_t M, N, K;
  float alpha = 1.0F;
  float beta = 0.0F;  // 1 = add to C
  // Floats from one stored row to the next; 0 = no gaps.
  size_t lda = 0;
  size_t ldb = 0;
  size_t ldc = 0;
};

// A [M][K], B [K][N].
void gemm_nn(const Gemm& g, const float* a, const float* b, float* c);
// A [M][K], B stored as [N][K].
void gemm_nt(const Gemm& g, const float* a, const float* b, float* c);
// A stored as [K][M], B [K][N].
void gemm_tn(const Gemm& g, const float* a, const float* b, float* c);

}  // namespace cmbo::tensor
