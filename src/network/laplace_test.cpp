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
  const double m = static_cast<double>(laplace.center);
  const double w = m <= 0 ? 0 : m >= 1 ? 1 : static_cast<double>(laplace.share_below);
  const bool below = m > 0 && (y < m || m >= 1);
  const double s = static_cast<double>(below ? laplace.scale_below : laplace.scale_above);
  const double z = 1 - std::exp(-(below ? m : 1 - m) / s);
  return (below ? w : 1 - w) * std::exp(-std::abs(y - m) / s) / (s * z);
}

TEST_P(LaplaceTest, LogDensityIsItsDefinitionAndIntegratesToOne) {
  const Laplace laplace = GetParam();
  EXPECT_NEAR(integrate(laplace, 1, [&](double y) { return density(laplace, y); }), 1, 1e-5);
  for (const float y : {0.0f, 0.1f, 0.3679f, 0.5f, 0.99f, 1.0f}) {
    const double expected = std::log(density(laplace, static_cast<double>(y)));
    if (std::isinf(expected)) continue;  // of the reference: e^-100,000 is 0 in double
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
    const float least = std::min(laplace.scale_below, laplace.scale_above);
    const double slope = std::min(1.0, 6e-8 / static_cast<double>(least));
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
    const float factor = static_cast<float>(by);
    return Laplace{laplace.center, laplace.share_below, laplace.scale_below * factor,
                   laplace.scale_above * factor};
  };
  const Laplace more = scaled(std::exp(step)), less = scaled(std::exp(-step));
  for (const float y : {0.0f, 0.36799f, 0.36801f, 0.3681f, 0.5f, 1.0f}) {
    const auto scale = [&](const Laplace& l) {
      return static_cast<double>(l.is_below(y) ? l.scale_below : l.scale_above);
    };
    const double run = std::log(scale(more) / scale(less));
    const double rise =
        static_cast<double>(more.log_density(y)) - static_cast<double>(less.log_density(y));
    const double magnitude = 1 + std::abs(static_cast<double>(laplace.log_density(y)));
    EXPECT_NEAR(static_cast<double>(laplace.log_density_by_log_scale(y)), rise / run,
                3e-4 * magnitude)
        << y;
  }
}

INSTANTIATE_TEST_SUITE_P(
    CentersAndScales, LaplaceTest,
    testing::Values(Laplace{0, 0.3f, 1e-5f, 1e-5f}, Laplace{0, 0.3f, 1e-3f, 0.02f},
                    Laplace{0, 1, 1, 10}, Laplace{1, 0.3f, 1e-5f, 1e-5f}, Laplace{1, 0, 0.3f, 0.1f},
                    Laplace{1, 0.5f, 10, 1}, Laplace{0.368f, 0.5f, 1e-5f, 1e-5f},
                    Laplace{0.368f, 0.1f, 1e-5f, 1e-3f}, Laplace{0.368f, 0.9f, 0.2f, 1e-4f},
                    Laplace{0.368f, 0.3f, 0.2f, 0.1f}, Laplace{1e-4f, 0.5f, 0.1f, 1e-5f},
                    Laplace{0.5f, 0.6f, 10, 5}));

TEST(LaplaceAtTheEndsTest, DivergedCurvesHaveOneSideOnly) {
  EXPECT_NEAR((Laplace{0, 0.7f, 0.1f, 0.01f}.log_density(0)), std::log(100.0f), 1e-5f);
  EXPECT_NEAR((Laplace{0.5f, 0.5f, 0.01f, 0.01f}.log_density(0.5f)), std::log(50.0f), 1e-5f);
  EXPECT_NEAR((Laplace{1, 0.7f, 0.01f, 0.1f}.log_density(1)), std::log(100.0f), 1e-5f);
}

TEST(LaplaceAtTheEndsTest, TheSharesOfTheSidesAreThoseGiven) {
  const Laplace laplace{0.25f, 0.2f, 0.001f, 0.5f};
  EXPECT_NEAR(laplace.cdf(0.25f), 0.2f, 1e-6f);
  EXPECT_NEAR(laplace.quantile(0.2f), 0.25f, 1e-6f);
  EXPECT_TRUE(laplace.is_below(0.2499f));
  EXPECT_FALSE(laplace.is_below(0.25f));
}

}  // namespace
}  // namespace cmbo::network
