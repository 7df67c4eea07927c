// SPDX-License-Identifier: Apache-2.0
#include "baselines/bohb.h"

#include <cmath>
#include <gtest/gtest.h>
#include <numbers>
#include <set>

#include "base/random.h"
#include "baselines/nearest.h"
#include "baselines/parzen.h"
#include "baselines/tables_testing.h"

namespace cmbo::baselines {
namespace {

TEST(NearestTest, SkipsWhatIsTaken) {
  const curves::CurveTable pool = table_of(std::vector(4, std::vector<float>(1, 0.0F)));
  std::vector<bool> taken(4, false);  // at 0, 1/4, 1/2, 3/4
  EXPECT_EQ(nearest(pool, std::vector{0.3}, taken), 1U);
  taken[1] = true;
  EXPECT_EQ(nearest(pool, std::vector{0.3}, taken), 2U);
  EXPECT_EQ(nearest(pool, std::vector{0.25}, taken), 0U) << "the first of equal ones";
  taken.assign(4, true);
  EXPECT_EQ(nearest(pool, std::vector{0.3}, taken), std::nullopt);
}

TEST(ParzenTest, BandwidthsFollowTheNormalReference) {
  const ParzenDensity density({{0.2, 0.5}, {0.4, 0.5}}, 1e-3);
  EXPECT_NEAR(density.bandwidths()[0], 1.06 * 0.1 * std::pow(2.0, -1.0 / 6.0), 1e-12);
  EXPECT_EQ(density.bandwidths()[1], 1e-3) << "all the same: the least";
}

TEST(ParzenTest, IsTheMeanOfItsKernels) {
  const ParzenDensity density({{0.3}, {0.5}}, 0.2);
  ASSERT_EQ(density.bandwidths()[0], 0.2);
  const double peak = 1.0 / (0.2 * std::sqrt(2.0 * std::numbers::pi));
  EXPECT_NEAR(density({0.3}), 0.5 * peak * (1.0 + std::exp(-0.5)), 1e-12);
}

TEST(ParzenTest, DrawsStayInTheUnitInterval) {
  const ParzenDensity density({{0.0}, {0.01}}, 0.1);
  Random random(3);
  double sum = 0.0;
  for (int i = 0; i < 1000; ++i) {
    const double x = density.draw(3.0, random)[0];
    ASSERT_TRUE(x >= 0.0 && x <= 1.0);
    sum += x;
  }
  EXPECT_NEAR(sum / 1000, 0.3 * std::sqrt(2.0 / std::numbers::pi), 0.02) << "half a Gaussian";
}

// One coordinate; values peak at x = 0.8. How far from there the configurations lie that it starts.
double mean_distance(const BohbOptions& options) {
  constexpr size_t kCount = 300, kHorizon = 9;
  const curves::CurveTable pool = table_of(std::vector(kCount, std::vector<float>(kHorizon, 0.0F)));
  Bohb bohb(options);
  decide::History history(pool);
  std::set<uint32_t> started;
  double sum = 0.0;
  while (started.size() < 60) {
    const uint32_t n = bohb.choose(history).value().configuration;
    const float distance = std::abs(pool.configuration(n)[0] - 0.8F);
    if (started.insert(n).second) sum += static_cast<double>(distance);
    history.add(n, 1.0F - distance);
  }
  return sum / 60;
}

TEST(BohbTest, ProposesWhereGoodOnesWere) {
  EXPECT_LT(mean_distance({}), 0.75 * mean_distance({.random_fraction = 1.0}));
}

}  // namespace
}  // namespace cmbo::baselines
