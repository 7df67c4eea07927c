// SPDX-License-Identifier: Apache-2.0
#include "gp/regression.h"

#include <cmath>
#include <gtest/gtest.h>
#include <numbers>

#include "base/random.h"
#include "gp/parameters.h"

namespace cmbo::gp {
namespace {

Matrix column(const std::vector<double>& values) {
  Matrix x(values.size(), 1);
  x.values = values;
  return x;
}

TEST(RegressionTest, OnePointByHand) {
  const Process process{0.5, 0.25, {KernelKind::kRbf, 0.75, {2.0}}};
  const Matrix x = column({1.0});
  const std::vector<double> y = {1.5};
  // y ~ N(0.5, 1).
  const auto likelihood = log_likelihood(process, {x, y});
  ASSERT_TRUE(likelihood);
  EXPECT_NEAR(likelihood->value, -0.5 - 0.5 * std::log(2.0 * std::numbers::pi), 1e-12);
  const Prediction there = (*Posterior::of(process, {x, y}))(column({1.0, 3.0, 1e3}));
  EXPECT_NEAR(there.mean[0], 0.5 + 0.75, 1e-12);
  EXPECT_NEAR(there.variance[0], 0.75 - 0.75 * 0.75, 1e-12);
  const double k = 0.75 * std::exp(-0.5);
  EXPECT_NEAR(there.mean[1], 0.5 + k, 1e-12);
  EXPECT_NEAR(there.variance[1], 0.75 - k * k, 1e-12);
  EXPECT_NEAR(there.mean[2], 0.5, 1e-12);
  EXPECT_NEAR(there.variance[2], 0.75, 1e-12);
}

TEST(RegressionTest, TwoPointsByHand) {
  const Process process{0.0, 0.5, {KernelKind::kRbf, 1.0, {1.0}}};
  const Matrix x = column({0.0, 1.0});
  const std::vector<double> y = {1.0, -1.0}, extra = {0.0, 0.5};
  // A = [[1.5, e], [e, 2]].
  const double e = std::exp(-0.5), determinant = 3.0 - e * e;
  const double w0 = (2.0 * 1.0 - e * -1.0) / determinant;
  const double w1 = (-e * 1.0 + 1.5 * -1.0) / determinant;
  const auto likelihood = log_likelihood(process, {x, y, extra});
  ASSERT_TRUE(likelihood);
  EXPECT_NEAR(likelihood->value,
              -0.5 * (w0 - w1) - 0.5 * std::log(determinant) - std::log(2.0 * std::numbers::pi),
              1e-12);
  const Prediction at = (*Posterior::of(process, {x, y, extra}))(column({0.0}));
  EXPECT_NEAR(at.mean[0], w0 + e * w1, 1e-12);
  EXPECT_NEAR(at.variance[0], 1.0 - (2.0 - 2.0 * e * e + 1.5 * e * e) / determinant, 1e-12);
}

TEST(RegressionTest, PointsThatCoincideAreNoTrouble) {
  const Process process{0.0, 0.0, {KernelKind::kMatern52, 1.0, {1.0}}};
  const Matrix x = column({0.3, 0.3, 0.3});
  const std::vector<double> y = {1.0, 1.0, 1.0};
  ASSERT_TRUE(log_likelihood(process, {x, y}));
  EXPECT_NEAR((*Posterior::of(process, {x, y}))(x).mean[0], 1.0, 1e-4);
}

TEST(RegressionTest, GradientsMatchFiniteDifferences) {
  Random random(3);
  Matrix x(7, 2);
  for (double& value : x.values) value = random.normal();
  std::vector<double> y(7), extra(7);
  for (size_t i = 0; i < 7; ++i) {
    y[i] = random.normal();
    extra[i] = 0.1 * random.uniform();
  }
  Process process{0.2, 0.3, {KernelKind::kMatern52, 0.9, {0.7, 1.4}}};
  const LikelihoodGradients gradients = log_likelihood(process, {x, y, extra})->gradients;
  const auto check = [&](double& value, double expected) {
    constexpr double kStep = 1e-5;
    const double kept = value;
    const auto at = [&](double moved) {
      value = moved;
      return log_likelihood(process, {x, y, extra})->value;
    };
    const double difference = (at(kept + kStep) - at(kept - kStep)) / (2.0 * kStep);
    value = kept;
    EXPECT_NEAR(expected, difference, 1e-7);
  };
  check(process.mean, gradients.mean);
  check(process.noise, gradients.noise);
  check(process.kernel.variance, gradients.kernel.variance);
  check(process.kernel.lengthscales[0], gradients.kernel.lengthscales[0]);
  check(process.kernel.lengthscales[1], gradients.kernel.lengthscales[1]);
  for (size_t i = 0; i < x.values.size(); ++i) check(x.values[i], gradients.kernel.x.values[i]);
}

TEST(ExpectedImprovementTest, ClosedForms) {
  EXPECT_DOUBLE_EQ(expected_improvement(0.7, 0.0, 0.5), 0.7 - 0.5);
  EXPECT_DOUBLE_EQ(expected_improvement(0.3, 0.0, 0.5), 0.0);
  EXPECT_NEAR(expected_improvement(0.5, 2.0, 0.5), 2.0 / std::sqrt(2.0 * std::numbers::pi), 1e-12);
  EXPECT_NEAR(expected_improvement(10.0, 0.1, 0.0), 10.0, 1e-12);
  EXPECT_GE(expected_improvement(-10.0, 0.1, 0.0), 0.0);
}

TEST(ParametersTest, FreeNumbersThereAndBack) {
  for (const double value : {1e-3, 0.5, 2.0, 50.0}) {
    EXPECT_NEAR(softplus(inverse_softplus(value)), value, 1e-9);
  }
  const Process process = to_process(KernelKind::kRbf, std::vector<float>{0.5F, 0.0F, 1.0F, -1.0F});
  EXPECT_DOUBLE_EQ(process.mean, 0.5);
  EXPECT_DOUBLE_EQ(process.noise, 1e-4 + std::log(2.0));
  EXPECT_NEAR(process.kernel.variance, std::log(1.0 + std::exp(1.0)), 1e-12);
  EXPECT_NEAR(process.kernel.lengthscales[0], std::log(1.0 + std::exp(-1.0)), 1e-12);
}

}  // namespace
}  // namespace cmbo::gp
