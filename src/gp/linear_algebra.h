// SPDX-License-Identifier: Apache-2.0
//
// Dense matrices in double precision, as far as Gaussian processes need them. Products and solves
// are OpenBLAS's, in the calling thread. Without state: any number of threads.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace cmbo::gp {

// Row-major.
struct Matrix {
  Matrix() = default;
  Matrix(size_t r, size_t c) : rows(r), columns(c), values(r * c) {}

  size_t rows = 0;
  size_t columns = 0;
  std::vector<double> values;

  double& operator()(size_t i, size_t j) { return values[i * columns + j]; }
  double operator()(size_t i, size_t j) const { return values[i * columns + j]; }
  std::span<double> row(size_t i) { return std::span(values).subspan(i * columns, columns); }
  std::span<const double> row(size_t i) const {
    return std::span(values).subspan(i * columns, columns);
  }
};

// The lower factor L of a = L L^T, in place; above the diagonal zeros. False if `a`, symmetric, is
// not positive definite, and then it holds nothing of use.
bool cholesky(Matrix& a);

struct Factor {
  Matrix L;
  double jitter = 0.0;  // that was added to the diagonal
};
// The factor of `a`, or of `a` with the smallest jitter that makes it clearly positive definite
// (all pivots above 1e-12 of the mean of the diagonal): 0, then 1e-8, 1e-7, ... 1e-1 of that mean.
// Nothing if none does: `a` is not finite, or far from positive definite.
std::optional<Factor> factorize(const Matrix& a);

// b [n][m] <- L^-1 b and L^-T b, with L lower triangular [n][n].
void solve_lower(const Matrix& L, Matrix& b);
void solve_lower_transposed(const Matrix& L, Matrix& b);
// The solution x of L L^T x = y.
std::vector<double> solve(const Matrix& L, std::span<const double> y);
// (L L^T)^-1 and log |L L^T|.
Matrix inverse(const Matrix& L);
double log_determinant(const Matrix& L);

// a [n][k] times b [k][m], and times the transpose of b [m][k].
Matrix product(const Matrix& a, const Matrix& b);
Matrix product_transposed(const Matrix& a, const Matrix& b);
double dot(std::span<const double> a, std::span<const double> b);

}  // namespace cmbo::gp
