// SPDX-License-Identifier: Apache-2.0
//
// Inside of the kernels: products of matrices that are too small for a BLAS, whose packing would
// cost as much as the product. All operands are expected in the first or second cache.
#pragma once

#include "tensor/kernel_vector.h"

namespace cmbo::tensor::CMBO_KERNELS {

// c [M][N] = a [M][K] b [K][N], or += if `add`. Element (i, k) of a is a[i a_row + k a_k], so a may
// be transposed; the rows of b and c have N floats, a multiple of kPad, and start ldb, ldc apart.
struct SmallGemm {
  size_t M, N, K;
  const float* a;
  size_t a_row, a_k;
  const float* b;
  size_t ldb;
  float* c;
  size_t ldc;
  bool add;
};

// One tile of kRows x (kWide vectors) of c, held in registers.
template <size_t kRows, size_t kWide>
CMBO_INLINE void gemm_tile(const SmallGemm& g, const float* a, const float* b, float* c) {
  Vec sum[kRows][kWide];
  for (size_t i = 0; i < kRows; ++i) {
    for (size_t j = 0; j < kWide; ++j) {
      sum[i][j] = g.add ? load(c + i * g.ldc + j * kLanes) : splat(0.0F);
    }
  }
  const size_t a_row = g.a_row, a_k = g.a_k, ldb = g.ldb;
  for (size_t k = 0; k < g.K; ++k, a += a_k, b += ldb) {
    Vec row[kWide];
    for (size_t j = 0; j < kWide; ++j) row[j] = load(b + j * kLanes);
    for (size_t i = 0; i < kRows; ++i) {
      const Vec factor = splat(a[i * a_row]);
      for (size_t j = 0; j < kWide; ++j) sum[i][j] = multiply_add(factor, row[j], sum[i][j]);
    }
  }
  for (size_t i = 0; i < kRows; ++i) {
    for (size_t j = 0; j < kWide; ++j) store(c + i * g.ldc + j * kLanes, sum[i][j]);
  }
}

inline constexpr size_t kTileRows =
    6;  // with 2 vectors: 12 sums, 2 of b and 1 of a in 16 registers

template <size_t kWide>
inline void gemm_rest_rows(const SmallGemm& g, size_t rows, size_t i, size_t j) {
  const float* const a = g.a + i * g.a_row;
  float* const c = g.c + i * g.ldc + j;
  switch (rows) {
    case 1:
      return gemm_tile<1, kWide>(g, a, g.b + j, c);
    case 2:
      return gemm_tile<2, kWide>(g, a, g.b + j, c);
    case 3:
      return gemm_tile<3, kWide>(g, a, g.b + j, c);
    case 4:
      return gemm_tile<4, kWide>(g, a, g.b + j, c);
    case 5:
      return gemm_tile<5, kWide>(g, a, g.b + j, c);
    default:
      return;
  }
}

template <size_t kWide>
inline void gemm_panel(const SmallGemm& g, size_t j) {
  size_t i = 0;
  for (; i + kTileRows <= g.M; i += kTileRows) {
    gemm_tile<kTileRows, kWide>(g, g.a + i * g.a_row, g.b + j, g.c + i * g.ldc + j);
  }
  gemm_rest_rows<kWide>(g, g.M - i, i, j);
}

inline void small_gemm(const SmallGemm& g) {
  size_t j = 0;
  for (; j + 2 * kLanes <= g.N; j += 2 * kLanes) gemm_panel<2>(g, j);
  if (j < g.N) gemm_panel<1>(g, j);
}

}  // namespace cmbo::tensor::CMBO_KERNELS
