// SPDX-License-Identifier: Apache-2.0
#include "tensor/gemm.h"

#include <limits>

#include "base/check.h"
#include "tensor/blas.h"

namespace cmbo::tensor {
namespace {

// Debian's packages have 32-bit integers; this compiles for OpenBLAS with 64-bit ones too.
blasint to_blas(size_t n) {
  CHECK(n <= static_cast<size_t>(std::numeric_limits<blasint>::max()), "too large for the BLAS");
  return static_cast<blasint>(n);
}

struct Operand {
  CBLAS_TRANSPOSE transpose;
  const float* data;
  size_t stored_columns;
  size_t stride;  // 0 = stored_columns

  blasint ld() const { return to_blas(stride == 0 ? stored_columns : stride); }
};

void scale_rows(const Gemm& g, size_t ldc, float* c) {
  for (size_t i = 0; i < g.M; ++i) {
    float* const row = c + i * ldc;
    for (size_t j = 0; j < g.N; ++j) row[j] = g.beta == 0.0F ? 0.0F : g.beta * row[j];
  }
}

void gemm(const Gemm& g, const Operand& a, const Operand& b, float* c) {
  const size_t ldc = g.ldc == 0 ? g.N : g.ldc;
  CHECK(ldc >= g.N, "rows of C overlap");
  CHECK(a.stride == 0 || a.stride >= a.stored_columns, "rows of A overlap");
  CHECK(b.stride == 0 || b.stride >= b.stored_columns, "rows of B overlap");
  if (g.M == 0 || g.N == 0) return;
  if (g.K == 0) return scale_rows(g, ldc, c);
  blas().sgemm(CblasRowMajor, a.transpose, b.transpose, to_blas(g.M), to_blas(g.N), to_blas(g.K),
               g.alpha, a.data, a.ld(), b.data, b.ld(), g.beta, c, to_blas(ldc));
}

}  // namespace

void gemm_nn(const Gemm& g, const float* a, const float* b, float* c) {
  gemm(g, {CblasNoTrans, a, g.K, g.lda}, {CblasNoTrans, b, g.N, g.ldb}, c);
}

void gemm_nt(const Gemm& g, const float* a, const float* b, float* c) {
  gemm(g, {CblasNoTrans, a, g.K, g.lda}, {CblasTrans, b, g.K, g.ldb}, c);
}

void gemm_tn(const Gemm& g, const float* a, const float* b, float* c) {
  gemm(g, {CblasTrans, a, g.M, g.lda}, {CblasNoTrans, b, g.N, g.ldb}, c);
}

}  // namespace cmbo::tensor
