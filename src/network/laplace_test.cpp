// SPDX-License-Identifier: Apache-2.0
#include "network/laplace.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

namespace cmbo::network {
namespace {

class LaplaceTest : public testing::TestWithParam<Laplace> {};

// Trapezoids, geometrically finer towards the peak on both sides of it.
template <typename Function>
double integrate(const Laplace& laplace, double until, Function function) {
  constexpr int kPieces = 20'000;
  const double m = static_cast<double>(laplace.center);
  double total = 0;
  for (const double end : {0.0, 1.0}) {
    double last = m;
    for (int i = 1; i <= kPieces; ++i) {
      const double y = m + (end - m) * std::pow(1e-9, 1 - static_cast<double>(i) / kPieces);
      const double low = std::min({last, y, until}), high = std::min(std::max(last, y), until);
      total += (high - low) * (function(low) + function(high)) / 2;
      last = y;
    }
  }
  return total;
}

// In double, written down from the definition.
double density(const Laplace& laplace, double y) {
  const double m = static_cast<double>(laplace.center), s = static_cast<double>(laplace.scale);
  const double z = 1 - std::exp(-m / s) / 2 - std::exp(-(1 - m) / s) / 2;
  return std::exp(-std::abs(y - m) / s) / (2 * s * z);
}

TEST_P(LaplaceTest, LogDensityIsItsDefinitionAndIntegratesToOne) {
  const Laplace laplace = GetParam();
  EXPECT_NEAR(integrate(laplace, 1, [&](double y) { return density(laplace, y); }), 1, 1e-5);
  for (const float y : {0.0f, 0.1f, 0.3679f, 0.5f, 0.99f, 1.0f}) {
    const double distance = std::abs(static_cast<double>(y) - static_cast<double>(laplace.center));
    const double peak = density(laplace, static_cast<double>(laplace.center));
    const double expected = std::log(peak) - distance / static_cast<double>(laplace.scale);
    EXPECT_NEAR(static_cast<double>(laplace.log_density(y)), expected,
                1e-6 * (1 + std::abs(expected)));
  }
}

TEST_P(LaplaceTest, CdfIsTheIntegralOfTheDensity) {
  const Laplace laplace = GetParam();
  for (const float y : {0.0f, 1e-5f, 0.2f, 0.3679f, 0.36805f, 0.7f, 0.99999f, 1.0f}) {
    const double area =
        integrate(laplace, static_cast<double>(y), [&](double at) { return density(laplace, at); });
    EXPECT_NEAR(static_cast<double>(laplace.cdf(y)), area, 1e-5) << y;
  }
  EXPECT_EQ(laplace.cdf(0.0f), 0.0f);
  EXPECT_EQ(laplace.cdf(1.0f), 1.0f);
  EXPECT_EQ(laplace.cdf(-0.1f), 0.0f);
  EXPECT_EQ(laplace.cdf(1.1f), 1.0f);
}

TEST_P(LaplaceTest, QuantileInvertsCdf) {
  const Laplace laplace = GetParam();
  float last = 0;
  for (const float level : {0.0f, 1e-30f, 1e-6f, 0.1f, 0.25f, 0.5f, 0.7f, 0.999f, 1.0f}) {
    const float y = laplace.quantile(level);
    ASSERT_TRUE(y >= last && y <= 1) << y;
    last = y;
    // A float y is rounded by up to 3e-8, and the cdf is as steep as 1/s.
    const double slope = std::min(1.0, 1 / static_cast<double>(laplace.scale) * 6e-8);
    EXPECT_NEAR(static_cast<double>(laplace.cdf(y)), static_cast<double>(level), 1e-6 + slope);
  }
  EXPECT_EQ(laplace.quantile(0.0f), 0.0f);
  EXPECT_EQ(laplace.quantile(1.0f), 1.0f);
}

TEST_P(LaplaceTest, MeanIsTheIntegral) {
  const Laplace laplace = GetParam();
  const double mean = integrate(laplace, 1, [&](double y) { return y * density(laplace, y); });
  EXPECT_NEAR(static_cast<double>(laplace.mean()), mean, 1e-5);
}

TEST_P(LaplaceTest, DerivativeByLogScaleIsThatOfFiniteDifferences) {
  const Laplace laplace = GetParam();
  const double step = 1e-3;
  const auto scaled = [&](double by) {
    return Laplace{laplace.center, static_cast<float>(static_cast<double>(laplace.scale) * by)};
  };
  const Laplace more = scaled(std::exp(step)), less = scaled(std::exp(-step));
  for (const float y : {0.0f, 0.36799f, 0.36801f, 0.3681f, 0.5f, 1.0f}) {
    const double run = std::log(static_cast<double>(more.scale) / static_cast<double>(less.scale));
    const double rise =
        static_cast<double>(more.log_density(y)) - static_cast<double>(less.log_density(y));
    const double magnitude = 1 + std::abs(static_cast<double>(laplace.log_density(y)));
    EXPECT_NEAR(static_cast<double>(laplace.log_density_by_log_scale(y)), rise / run,
                3e-4 * magnitude)
        << y;
  }
}

INSTANTIATE_TEST_SUITE_P(CentersAndScales, LaplaceTest,
                         testing::Values(Laplace{0, 1e-5f}, Laplace{0, 0.02f}, Laplace{0, 10},
                                         Laplace{1, 1e-5f}, Laplace{1, 0.3f}, Laplace{1, 10},
                                         Laplace{0.368f, 1e-5f}, Laplace{0.368f, 1e-3f},
                                         Laplace{0.368f, 0.2f}, Laplace{0.5f, 10}));

TEST(LaplaceAtTheEndsTest, DivergedCurvesHaveHalfTheNormalization) {
  EXPECT_NEAR((Laplace{0, 0.01f}.log_density(0)), std::log(100.0f), 1e-5f);
  EXPECT_NEAR((Laplace{0.5f, 0.01f}.log_density(0.5f)), std::log(50.0f), 1e-5f);
}

}  // namespace
}  // namespace cmbo::network
