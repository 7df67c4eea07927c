// SPDX-License-Identifier: Apache-2.0
#include "gp/linear_algebra.h"

#include <cmath>
#include <gtest/gtest.h>

#include "base/random.h"

namespace cmbo::gp {
namespace {

// B B^T + n I.
Matrix random_positive(size_t n, uint64_t seed) {
  Random random(seed);
  Matrix b(n, n);
  for (double& value : b.values) value = random.normal();
  Matrix a = product_transposed(b, b);
  for (size_t i = 0; i < n; ++i) a(i, i) += static_cast<double>(n);
  return a;
}

void expect_same(const Matrix& a, const Matrix& b, double tolerance) {
  ASSERT_EQ(a.rows, b.rows);
  ASSERT_EQ(a.columns, b.columns);
  for (size_t i = 0; i < a.values.size(); ++i) {
    ASSERT_NEAR(a.values[i], b.values[i], tolerance) << "at " << i;
  }
}

TEST(CholeskyTest, FactorOfTwoByTwo) {
  Matrix a(2, 2);
  a.values = {4.0, 2.0, 2.0, 10.0};
  ASSERT_TRUE(cholesky(a));
  const Matrix L = a;
  EXPECT_DOUBLE_EQ(L(0, 0), 2.0);
  EXPECT_DOUBLE_EQ(L(0, 1), 0.0);
  EXPECT_DOUBLE_EQ(L(1, 0), 1.0);
  EXPECT_DOUBLE_EQ(L(1, 1), 3.0);
  EXPECT_DOUBLE_EQ(log_determinant(L), std::log(36.0));
}

// One block, blocks that fit, and a rest.
TEST(CholeskyTest, FactorTimesItsTransposeIsTheMatrix) {
  for (const size_t n : {1U, 3U, 48U, 49U, 96U, 131U}) {
    const Matrix a = random_positive(n, n);
    Matrix L = a;
    ASSERT_TRUE(cholesky(L));
    expect_same(product_transposed(L, L), a, 1e-9);
    Matrix identity(n, n);
    for (size_t i = 0; i < n; ++i) identity(i, i) = 1.0;
    expect_same(product(inverse(L), a), identity, 1e-9);
    const std::vector<double> x = solve(L, a.row(0));
    for (size_t i = 0; i < n; ++i) EXPECT_NEAR(x[i], i == 0 ? 1.0 : 0.0, 1e-9);
  }
}

TEST(CholeskyTest, RefusesWhatIsNotPositiveDefinite) {
  Matrix a = random_positive(60, 1);
  a(57, 57) = -1.0;
  EXPECT_FALSE(cholesky(a));
}

TEST(FactorizeTest, NeedsNoJitterForAGoodMatrix) {
  const std::optional<Factor> factor = factorize(random_positive(5, 2));
  ASSERT_TRUE(factor);
  EXPECT_EQ(factor->jitter, 0.0);
}

TEST(FactorizeTest, AddsALittleToASingularMatrix) {
  Matrix a(3, 3);
  a.values.assign(9, 2.0);
  const std::optional<Factor> factor = factorize(a);
  ASSERT_TRUE(factor);
  EXPECT_GT(factor->jitter, 0.0);
  EXPECT_LE(factor->jitter, 2e-6);
  Matrix with = a;
  for (size_t i = 0; i < 3; ++i) with(i, i) += factor->jitter;
  expect_same(product_transposed(factor->L, factor->L), with, 1e-12);
}

TEST(FactorizeTest, GivesUpOnNonsense) {
  Matrix a(2, 2);
  a.values = {1.0, 5.0, 5.0, 1.0};
  EXPECT_FALSE(factorize(a));
  const double nan = std::nan("");
  a.values = {1.0, nan, nan, 1.0};
  EXPECT_FALSE(factorize(a));
}

}  // namespace
}  // namespace cmbo::gp
