// SPDX-License-Identifier: Apache-2.0
#include "study/ridge.h"

#include <cmath>
#include <numeric>

namespace cmbo::study {

namespace {

// Solves A x = b in place, A [d][d] symmetric and positive definite, by Cholesky's A = L L^T.
void solve_in_place(std::vector<double>& a, std::vector<double>& b) {
  const size_t d = b.size();
  for (size_t i = 0; i < d; ++i) {
    for (size_t j = 0; j <= i; ++j) {
      double sum = a[i * d + j];
      for (size_t k = 0; k < j; ++k) sum -= a[i * d + k] * a[j * d + k];
      a[i * d + j] = i == j ? std::sqrt(sum) : sum / a[j * d + j];
    }
  }
  for (size_t i = 0; i < d; ++i) {
    for (size_t k = 0; k < i; ++k) b[i] -= a[i * d + k] * b[k];
    b[i] /= a[i * d + i];
  }
  for (size_t i = d; i-- > 0;) {
    for (size_t k = i + 1; k < d; ++k) b[i] -= a[k * d + i] * b[k];
    b[i] /= a[i * d + i];
  }
}

}  // namespace

Ridge::Ridge(std::span<const double> rows, std::span<const double> targets, double penalty) {
  const size_t n = targets.size(), d = rows.size() / n;
  intercept_ = std::accumulate(targets.begin(), targets.end(), 0.0) / static_cast<double>(n);
  mean_.resize(d);
  for (size_t i = 0; i < rows.size(); ++i) mean_[i % d] += rows[i] / static_cast<double>(n);
  std::vector<double> normal(d * d);
  weights_.resize(d);
  for (size_t r = 0; r < n; ++r) {
    for (size_t i = 0; i < d; ++i) {
      const double x = rows[r * d + i] - mean_[i];
      weights_[i] += x * (targets[r] - intercept_);
      for (size_t j = 0; j < d; ++j) normal[i * d + j] += x * (rows[r * d + j] - mean_[j]);
    }
  }
  for (size_t i = 0; i < d; ++i) normal[i * d + i] += penalty;
  solve_in_place(normal, weights_);
}

double Ridge::operator()(std::span<const float> row) const {
  double sum = intercept_;
  for (size_t i = 0; i < row.size(); ++i) {
    sum += weights_[i] * (static_cast<double>(row[i]) - mean_[i]);
  }
  return sum;
}

}  // namespace cmbo::study
