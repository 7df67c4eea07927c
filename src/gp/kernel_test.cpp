// SPDX-License-Identifier: Apache-2.0
#include "gp/kernel.h"

#include <cmath>
#include <gtest/gtest.h>

#include "base/random.h"

namespace cmbo::gp {
namespace {

Matrix random_matrix(size_t rows, size_t columns, Random& random) {
  Matrix m(rows, columns);
  for (double& value : m.values) value = random.normal();
  return m;
}

// The formulas of the header, one pair at a time.
double twin(const Kernel& kernel, std::span<const double> x, std::span<const double> y) {
  double r2 = 0.0;
  for (size_t d = 0; d < x.size(); ++d) {
    const double l = kernel.lengthscales[kernel.lengthscales.size() == 1 ? 0 : d];
    r2 += (x[d] - y[d]) * (x[d] - y[d]) / (l * l);
  }
  const double r = std::sqrt(r2);
  if (kernel.kind == KernelKind::kRbf) return kernel.variance * std::exp(-r2 / 2.0);
  return kernel.variance * (1.0 + std::sqrt(5.0) * r + 5.0 * r2 / 3.0) *
         std::exp(-std::sqrt(5.0) * r);
}

class KernelTest : public ::testing::TestWithParam<Kernel> {};

TEST_P(KernelTest, MatchesTwin) {
  Random random(1);
  const Matrix x = random_matrix(4, 3, random), y = random_matrix(6, 3, random);
  const Matrix k = kernel_matrix(GetParam(), x, y);
  const Matrix own = kernel_forward(GetParam(), x).k;
  for (size_t i = 0; i < x.rows; ++i) {
    for (size_t j = 0; j < y.rows; ++j) {
      EXPECT_NEAR(k(i, j), twin(GetParam(), x.row(i), y.row(j)), 1e-12);
    }
    for (size_t j = 0; j < x.rows; ++j) {
      EXPECT_NEAR(own(i, j), twin(GetParam(), x.row(i), x.row(j)), 1e-12);
    }
  }
}

// Of sum over ij of dk_ij k_ij.
TEST_P(KernelTest, GradientsMatchFiniteDifferences) {
  Random random(2);
  Matrix x = random_matrix(5, 3, random);
  const Matrix half = random_matrix(5, 5, random);
  Matrix dk(5, 5);
  for (size_t i = 0; i < 5; ++i) {
    for (size_t j = 0; j < 5; ++j) dk(i, j) = half(i, j) + half(j, i);
  }
  Kernel kernel = GetParam();
  const KernelGradients gradients = kernel_backward(kernel, kernel_forward(kernel, x), dk);
  const auto check = [&](double& value, double expected) {
    constexpr double kStep = 1e-5;
    const double kept = value;
    const auto at = [&](double moved) {
      value = moved;
      return dot(dk.values, kernel_forward(kernel, x).k.values);
    };
    const double difference = (at(kept + kStep) - at(kept - kStep)) / (2.0 * kStep);
    value = kept;
    EXPECT_NEAR(expected, difference, 1e-7);
  };
  check(kernel.variance, gradients.variance);
  for (size_t d = 0; d < kernel.lengthscales.size(); ++d) {
    check(kernel.lengthscales[d], gradients.lengthscales[d]);
  }
  for (size_t i = 0; i < x.values.size(); ++i) check(x.values[i], gradients.x.values[i]);
}

INSTANTIATE_TEST_SUITE_P(Kernels, KernelTest,
                         ::testing::Values(Kernel{KernelKind::kRbf, 1.3, {0.8}},
                                           Kernel{KernelKind::kRbf, 0.6, {0.8, 2.0, 1.1}},
                                           Kernel{KernelKind::kMatern52, 1.3, {0.8}},
                                           Kernel{KernelKind::kMatern52, 0.6, {0.8, 2.0, 1.1}}));

}  // namespace
}  // namespace cmbo::gp
