// SPDX-License-Identifier: Apache-2.0
#include "gp/linear_algebra.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "tensor/blas.h"

namespace cmbo::gp {

namespace {

// Columns that are factorized at a time; the rest is products.
constexpr size_t kBlock = 48;

blasint to_blasint(size_t n) {
  return static_cast<blasint>(n);
}

// The factor of the block of `size` from the diagonal element `first` on, by the textbook.
bool factorize_block(Matrix& a, size_t first, size_t size) {
  for (size_t i = first; i < first + size; ++i) {
    double* const row_i = &a(i, first);
    for (size_t j = first; j <= i; ++j) {
      double sum = row_i[j - first];
      for (size_t k = first; k < j; ++k) sum -= row_i[k - first] * a(j, k);
      if (i != j) {
        row_i[j - first] = sum / a(j, j);
      } else if (sum > 0.0 && std::isfinite(sum)) {
        row_i[j - first] = std::sqrt(sum);
      } else {
        return false;
      }
    }
  }
  return true;
}

void clear_above_diagonal(Matrix& a) {
  for (size_t i = 0; i < a.rows; ++i) std::fill(&a(i, 0) + i + 1, &a(i, 0) + a.columns, 0.0);
}

// A pivot that is nothing but rounding would pass as a positive one.
bool well_away_from_zero(const Matrix& L, double diagonal) {
  for (size_t i = 0; i < L.rows; ++i) {
    if (L(i, i) * L(i, i) < 1e-12 * diagonal) return false;
  }
  return true;
}

void solve_triangular(const Matrix& L, CBLAS_TRANSPOSE transpose, Matrix& b) {
  CHECK(L.rows == L.columns && L.rows == b.rows, "sizes differ");
  if (b.values.empty()) return;
  tensor::blas().dtrsm(CblasRowMajor, CblasLeft, CblasLower, transpose, CblasNonUnit,
                       to_blasint(b.rows), to_blasint(b.columns), 1.0, L.values.data(),
                       to_blasint(L.columns), b.values.data(), to_blasint(b.columns));
}

Matrix multiply(const Matrix& a, const Matrix& b, CBLAS_TRANSPOSE transpose) {
  const bool plain = transpose == CblasNoTrans;
  CHECK(a.columns == (plain ? b.rows : b.columns), "sizes differ");
  Matrix c(a.rows, plain ? b.columns : b.rows);
  if (c.values.empty() || a.columns == 0) return c;
  tensor::blas().dgemm(CblasRowMajor, CblasNoTrans, transpose, to_blasint(c.rows),
                       to_blasint(c.columns), to_blasint(a.columns), 1.0, a.values.data(),
                       to_blasint(a.columns), b.values.data(), to_blasint(b.columns), 0.0,
                       c.values.data(), to_blasint(c.columns));
  return c;
}

}  // namespace

bool cholesky(Matrix& a) {
  CHECK(a.rows == a.columns, "only a square matrix has a factor");
  const size_t n = a.rows;
  for (size_t first = 0; first < n; first += kBlock) {
    const size_t size = std::min(kBlock, n - first), next = first + size;
    if (!factorize_block(a, first, size)) return false;
    if (next == n) break;
    // Rows below: divide by the block's factor, then take their products from what is left.
    tensor::blas().dtrsm(CblasRowMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit,
                         to_blasint(n - next), to_blasint(size), 1.0, &a(first, first),
                         to_blasint(n), &a(next, first), to_blasint(n));
    tensor::blas().dsyrk(CblasRowMajor, CblasLower, CblasNoTrans, to_blasint(n - next),
                         to_blasint(size), -1.0, &a(next, first), to_blasint(n), 1.0,
                         &a(next, next), to_blasint(n));
  }
  clear_above_diagonal(a);
  return true;
}

std::optional<Factor> factorize(const Matrix& a) {
  double diagonal = 0.0;
  for (size_t i = 0; i < a.rows; ++i) diagonal += a(i, i) / static_cast<double>(a.rows);
  for (const double share : {0.0, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1}) {
    Factor factor{a, share * diagonal};
    for (size_t i = 0; i < a.rows; ++i) factor.L(i, i) += factor.jitter;
    if (cholesky(factor.L) && well_away_from_zero(factor.L, diagonal)) return factor;
  }
  return std::nullopt;
}

void solve_lower(const Matrix& L, Matrix& b) {
  solve_triangular(L, CblasNoTrans, b);
}

void solve_lower_transposed(const Matrix& L, Matrix& b) {
  solve_triangular(L, CblasTrans, b);
}

std::vector<double> solve(const Matrix& L, std::span<const double> y) {
  Matrix x(y.size(), 1);
  std::copy(y.begin(), y.end(), x.values.begin());
  solve_lower(L, x);
  solve_lower_transposed(L, x);
  return x.values;
}

// X = L^-1 and then X^T X, by blocks of columns that leave out what is zero: a third of the work.
Matrix inverse(const Matrix& L) {
  const size_t n = L.rows;
  Matrix x(n, n), result(n, n);
  for (size_t first = 0; first < n; first += kBlock) {
    const size_t size = std::min(kBlock, n - first);
    for (size_t i = first; i < first + size; ++i) x(i, i) = 1.0;
    tensor::blas().dtrsm(CblasRowMajor, CblasLeft, CblasLower, CblasNoTrans, CblasNonUnit,
                         to_blasint(n - first), to_blasint(size), 1.0, L.row(first).data() + first,
                         to_blasint(n), &x(first, first), to_blasint(n));
  }
  for (size_t first = 0; first < n; first += kBlock) {
    const size_t size = std::min(kBlock, n - first);
    tensor::blas().dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, to_blasint(size),
                         to_blasint(first + size), to_blasint(n - first), 1.0, &x(first, first),
                         to_blasint(n), &x(first, 0), to_blasint(n), 0.0, &result(first, 0),
                         to_blasint(n));
  }
  for (size_t i = 0; i < n; ++i) {
    for (size_t j = i + 1; j < n; ++j) result(i, j) = result(j, i);
  }
  return result;
}

double log_determinant(const Matrix& L) {
  double sum = 0.0;
  for (size_t i = 0; i < L.rows; ++i) sum += std::log(L(i, i));
  return 2.0 * sum;
}

Matrix product(const Matrix& a, const Matrix& b) {
  return multiply(a, b, CblasNoTrans);
}

Matrix product_transposed(const Matrix& a, const Matrix& b) {
  return multiply(a, b, CblasTrans);
}

double dot(std::span<const double> a, std::span<const double> b) {
  CHECK(a.size() == b.size(), "sizes differ");
  double sum = 0.0;
  for (size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

}  // namespace cmbo::gp
