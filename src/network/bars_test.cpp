// SPDX-License-Identifier: Apache-2.0
#include "network/bars.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <numeric>
#include <ostream>
#include <string>

#include "base/random.h"

namespace cmbo::network {
namespace {

// ---- Borders

void expect_valid(const Bars& bars, size_t count, float floor) {
  ASSERT_EQ(bars.count(), count);
  ASSERT_EQ(bars.borders().size(), count + 1);
  EXPECT_EQ(bars.borders().front(), 0.0f);
  EXPECT_EQ(bars.borders()[1], floor);
  EXPECT_EQ(bars.borders().back(), 1.0f);
  for (size_t i = 0; i < count; ++i) {
    ASSERT_LT(bars.borders()[i], bars.borders()[i + 1]);
    EXPECT_GE(bars.width(i), floor - 2e-7f) << i;
    EXPECT_FLOAT_EQ(bars.width(i), bars.borders()[i + 1] - bars.borders()[i]);
    EXPECT_NEAR(bars.log_width(i), std::log(bars.width(i)), 1e-6f);
  }
}

size_t bars_between(const Bars& bars, float low, float high) {
  return bars.index_of(high) - bars.index_of(low);
}

std::vector<float> uniform_values(size_t count, double low, double high, uint64_t seed) {
  Random random(seed);
  std::vector<float> values(count);
  for (float& value : values) value = static_cast<float>(random.uniform(low, high));
  return values;
}

TEST(BarsTest, ABorderBelongsToTheRight) {
  const Bars bars({0, 0.25f, 0.5f, 1});
  EXPECT_EQ(bars.index_of(0), 0u);
  EXPECT_EQ(bars.index_of(std::nextafter(0.25f, 0.0f)), 0u);
  EXPECT_EQ(bars.index_of(0.25f), 1u);
  EXPECT_EQ(bars.index_of(0.5f), 2u);
  EXPECT_EQ(bars.index_of(1), 2u);
  EXPECT_EQ(bars.index_of(-0.5f), 0u);
  EXPECT_EQ(bars.index_of(1.5f), 2u);
}

TEST(BarsDeathTest, BordersMustAscendFromZeroToOne) {
  EXPECT_DEATH(Bars({0, 0.5f, 0.5f, 1}), "ascend");
  EXPECT_DEATH(Bars({0, 0.5f}), "span");
  EXPECT_DEATH(Bars::from_values({}, 100, 0.0101f), "space");
}

TEST(BarsTest, NoValuesOrOnlyDivergedOnesGiveEqualWidths) {
  const std::vector<float> zeros(5000, 0.0f);
  for (const std::span<const float> values : {std::span<const float>(), {zeros}}) {
    const Bars bars = Bars::from_values(values, 101, 1e-4f);
    expect_valid(bars, 101, 1e-4f);
    for (size_t i = 1; i < 101; ++i) EXPECT_NEAR(bars.width(i), 0.009999f, 2e-7f);
  }
}

TEST(BarsTest, SharesFollowTheRootOfTheDensity) {
  // Density 1.6 below a half and 0.4 above: roots 2 to 1.
  std::vector<float> values = uniform_values(400'000, 0, 0.5, 1);
  const std::vector<float> upper = uniform_values(100'000, 0.5, 1, 2);
  values.insert(values.end(), upper.begin(), upper.end());
  const Bars bars = Bars::from_values(values, 300, 1e-5f);
  expect_valid(bars, 300, 1e-5f);
  EXPECT_NEAR(static_cast<double>(bars_between(bars, 0, 0.5f)), 200, 3);
}

TEST(BarsTest, AtomsDoNotTakeAllBars) {
  std::vector<float> values = uniform_values(200'000, 0.2, 0.9, 3);
  values.insert(values.end(), 300'000, 0.0f);
  values.insert(values.end(), 100'000, 0.368f);
  const Bars bars = Bars::from_values(values, 256, 2e-4f);
  expect_valid(bars, 256, 2e-4f);
  EXPECT_GT(bars_between(bars, 0.2f, 0.9f), 230u);
  EXPECT_LT(bars_between(bars, 0.36f, 0.376f), 30u);
  EXPECT_NEAR(bars.width(bars.index_of(0.368f)), 2e-4f, 2e-5f);
}

TEST(BarsTest, OneRepeatedValueGetsNarrowBarsButNotAll) {
  const std::vector<float> values(500'000, 0.368f);
  const Bars bars = Bars::from_values(values, 256, 2e-4f);
  expect_valid(bars, 256, 2e-4f);
  EXPECT_NEAR(bars.width(bars.index_of(0.368f)), 2e-4f, 2e-7f);
  EXPECT_GT(bars_between(bars, 0.369f, 1), 100u);
}

TEST(BarsTest, FewStrangeAndOutlyingValuesAreFine) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> values = {-1e-6f, 1.00001f, 0.3f, nan, 1, 0};
  expect_valid(Bars::from_values(values, 64, 1e-3f), 64, 1e-3f);
  expect_valid(Bars::from_values(values, 2, 1e-6f), 2, 1e-6f);
  expect_valid(Bars::from_values(values, 999, 1e-3f), 999, 1e-3f);
  EXPECT_EQ(Bars::from_values(values, 1, 1e-3f).count(), 1u);
}

TEST(BarsTest, ValuesAtOneMakeTheLastBarsFine) {
  const std::vector<float> values(100'000, 1.0f);
  const Bars bars = Bars::from_values(values, 64, 1e-3f);
  expect_valid(bars, 64, 1e-3f);
  EXPECT_NEAR(bars.width(63), 1e-3f, 2e-7f);
}

// ---- Distributions

// A copy that falls off alike on both sides of its center.
Laplace even(float center, float scale) {
  return {center, 0.5f, scale, scale};
}

struct Mix {
  const char* name;
  float gate;
  Laplace copy;
  int shape = 0;  // of the bars: 0 rough, 1 one peak, 2 all in one bar
};

void PrintTo(const Mix& mix, std::ostream* out) {
  *out << mix.name;
}

class BarDistributionTest : public testing::TestWithParam<Mix> {
 protected:
  static constexpr size_t kBars = 83;  // not a multiple of anything

  BarDistributionTest()
      : bars_(Bars::from_values(uniform_values(50'000, 0.3, 0.7, 5), kBars, 1e-3f)),
        probabilities_(kBars) {
    Random random(9);
    std::vector<double> weights(kBars);
    for (size_t i = 0; i < kBars; ++i) weights[i] = weight(i, random);
    const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
    for (size_t i = 0; i < kBars; ++i) probabilities_[i] = static_cast<float>(weights[i] / total);
  }

  double weight(size_t bar, Random& random) const {
    if (GetParam().shape == 0) return std::exp(1.5 * random.normal());
    if (GetParam().shape == 2) return bar == 40 ? 1 : 0;
    const double distance = static_cast<double>(bars_.borders()[bar]) - 0.6;
    return 1e-4 + std::exp(-distance * distance / 0.005);
  }

  BarDistribution distribution() const {
    return {&bars_, probabilities_, GetParam().gate, GetParam().copy};
  }

  // Every border, the center, and points in between and close to the center.
  std::vector<float> points() const {
    std::vector<float> points(bars_.borders().begin(), bars_.borders().end());
    for (size_t i = 0; i < kBars; ++i) points.push_back(bars_.borders()[i] + 0.3f * bars_.width(i));
    const Laplace copy = GetParam().copy;
    for (int i = -400; i <= 400; ++i) {
      const float scale = i < 0 ? copy.scale_below : copy.scale_above;
      points.push_back(std::clamp(copy.center + 0.1f * static_cast<float>(i) * scale, 0.f, 1.f));
    }
    std::sort(points.begin(), points.end());
    points.erase(std::unique(points.begin(), points.end()), points.end());
    return points;
  }

  Bars bars_;
  std::vector<float> probabilities_;
};

// The integral of the density between two neighbouring points, inside of one bar.
double area(const BarDistribution& mix, float low, float high) {
  constexpr int kPieces = 40;
  const double step = (static_cast<double>(high) - static_cast<double>(low)) / kPieces;
  double total = 0;
  for (int i = 0; i < kPieces; ++i) {
    const double middle = static_cast<double>(low) + (i + 0.5) * step;
    total += step * std::exp(mix.log_density(static_cast<float>(middle)));
  }
  return total;
}

TEST_P(BarDistributionTest, CdfIsTheIntegralOfTheDensityUpToOne) {
  const BarDistribution mix = distribution();
  const std::vector<float> all = points();
  double sum = 0;
  for (size_t i = 0; i + 1 < all.size(); ++i) {
    EXPECT_NEAR(mix.cdf(all[i]), sum, 2e-3) << all[i];
    sum += area(mix, all[i], all[i + 1]);
  }
  EXPECT_NEAR(sum, 1, 2e-3);
  EXPECT_EQ(mix.cdf(0), 0);
  EXPECT_EQ(mix.cdf(1), 1);
}

TEST_P(BarDistributionTest, QuantileInvertsCdf) {
  const BarDistribution mix = distribution();
  for (const float y : points()) {
    const double level = mix.cdf(y);
    const double logs = std::min(mix.log_density(y), mix.log_density(y - 1e-6f));
    const bool flat = !(std::exp(logs) > 1e-4);  // so the inverse is not unique
    if (flat || level < 1e-6 || level > 1 - 1e-6) continue;
    EXPECT_NEAR(mix.quantile(level), static_cast<double>(y), 2e-7) << level;
  }
}

std::vector<float> even_levels(size_t count) {
  std::vector<float> levels(count);
  for (size_t i = 0; i < count; ++i) {
    levels[i] = (static_cast<float>(i) + 0.5f) / static_cast<float>(count);
  }
  return levels;
}

void expect_same_as_one_by_one(const BarDistribution& mix, std::span<const float> levels) {
  std::vector<float> out(levels.size());
  mix.quantiles(levels, out);
  for (size_t i = 0; i < levels.size(); ++i) {
    EXPECT_NEAR(static_cast<double>(out[i]), mix.quantile(static_cast<double>(levels[i])), 1e-6)
        << "level " << levels[i];
    EXPECT_TRUE(out[i] >= (i > 0 ? out[i - 1] : 0) && out[i] <= 1) << out[i];
  }
}

TEST_P(BarDistributionTest, QuantilesInOneSweepAreThoseOneByOne) {
  for (const size_t count : {1u, 7u, 64u, 128u, 1000u}) {
    expect_same_as_one_by_one(distribution(), even_levels(count));
  }
  expect_same_as_one_by_one(distribution(), std::vector<float>{0.4f, 0.4f, 0.4f, 0.40000004f});
  expect_same_as_one_by_one(distribution(), {});
}

TEST_P(BarDistributionTest, ExtremeLevelsStayInsideAndAscend) {
  const std::vector<float> levels = {1e-30f, 1e-12f, 1e-9f, 1e-6f, 1 - 1e-6f, 1 - 6e-8f};
  std::vector<float> out(levels.size(), -1);
  distribution().quantiles(levels, out);
  EXPECT_TRUE(std::is_sorted(out.begin(), out.end()));
  EXPECT_GE(out.front(), 0);
  EXPECT_LE(out.back(), 1);
  EXPECT_NEAR(static_cast<double>(out[3]), distribution().quantile(1e-6), 2e-6);
}

// Draws from the bars and the copy apart, each by its own inverse.
std::vector<double> draw(const BarDistribution& mix, size_t count) {
  Random random(21);
  std::vector<double> samples(count);
  for (double& sample : samples) {
    if (random.chance(static_cast<double>(mix.gate))) {
      sample = static_cast<double>(mix.copy.quantile(static_cast<float>(random.uniform())));
      continue;
    }
    double left = random.uniform();
    size_t bar = 0;
    while (bar + 1 < mix.bars->count() && left >= static_cast<double>(mix.probabilities[bar])) {
      left -= static_cast<double>(mix.probabilities[bar++]);
    }
    sample = static_cast<double>(mix.bars->borders()[bar]) +
             random.uniform() * static_cast<double>(mix.bars->width(bar));
  }
  std::sort(samples.begin(), samples.end());
  return samples;
}

TEST_P(BarDistributionTest, SamplesAgree) {
  constexpr size_t kSamples = 200'000;
  const BarDistribution mix = distribution();
  const std::vector<double> samples = draw(mix, kSamples);
  const double mean = std::accumulate(samples.begin(), samples.end(), 0.0) / kSamples;
  EXPECT_NEAR(mix.mean(), mean, 0.004);
  const std::vector<float> levels = even_levels(50);
  std::vector<float> quantiles(levels.size());
  mix.quantiles(levels, quantiles);
  for (size_t i = 0; i < levels.size(); ++i) {
    // The share of samples below the quantile, with what rounding of y to a float may move.
    const double y = static_cast<double>(quantiles[i]);
    const auto below = std::lower_bound(samples.begin(), samples.end(), y - 1e-7);
    const auto up_to = std::upper_bound(samples.begin(), samples.end(), y + 1e-7);
    EXPECT_LE(static_cast<double>(below - samples.begin()) / kSamples - 0.006,
              static_cast<double>(levels[i]));
    EXPECT_GE(static_cast<double>(up_to - samples.begin()) / kSamples + 0.006,
              static_cast<double>(levels[i]));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Mixes, BarDistributionTest,
    testing::Values(
        Mix{"NoCopy", 0, even(0.4f, 0.01f)}, Mix{"OnlyCopy", 1, even(0.4f, 0.01f)},
        Mix{"OnlyTinyCopy", 1, even(0.4f, 1e-5f)}, Mix{"OnlyWideCopy", 1, even(0.4f, 10)},
        Mix{"Typical", 0.6f, even(0.55f, 3e-3f)}, Mix{"TypicalPeak", 0.6f, even(0.55f, 3e-3f), 1},
        Mix{"Tiny", 0.5f, even(0.47f, 1e-5f)}, Mix{"TinyPeak", 0.9f, even(0.1f, 1e-5f), 1},
        Mix{"Medium", 0.5f, even(0.47f, 0.05f)}, Mix{"Wide", 0.5f, even(0.47f, 1)},
        Mix{"VeryWide", 0.9f, even(0.2f, 10), 1}, Mix{"Zero", 0.5f, even(0, 2e-3f)},
        Mix{"ZeroTiny", 0.97f, even(0, 1e-5f), 1}, Mix{"One", 0.5f, even(1, 2e-3f)},
        Mix{"OneWide", 0.5f, even(1, 0.3f), 1}, Mix{"OneTiny", 0.01f, even(1, 1e-5f)},
        Mix{"InOneBar", 0.5f, even(0.2f, 0.01f), 2}, Mix{"InOneBarOnly", 0, even(0.2f, 0.01f), 2},
        Mix{"Rising", 0.6f, {0.55f, 0.1f, 1e-5f, 0.02f}},
        Mix{"RisingPeak", 0.8f, {0.55f, 0.3f, 1e-3f, 0.1f}, 1},
        Mix{"Falling", 0.6f, {0.4f, 0.95f, 0.05f, 1e-4f}},
        Mix{"AllAbove", 0.6f, {0.4f, 0, 0.05f, 3e-3f}},
        Mix{"AllBelow", 0.6f, {0.4f, 1, 0.05f, 3e-3f}},
        Mix{"NearZero", 0.7f, {1e-4f, 0.5f, 0.1f, 0.01f}, 1},
        Mix{"WideAbove", 0.7f, {0.6f, 0.2f, 0.01f, 10}, 1}),
    [](const testing::TestParamInfo<Mix>& mix) { return std::string(mix.param.name); });

// One bar over all of [0,1]: the exponential is as curved as it gets inside of a bar.
TEST(BarDistributionOneBarTest, QuantilesInOneSweepAreThoseOneByOne) {
  const Bars bars({0, 1});
  const std::vector<float> probabilities = {1};
  for (const float center : {0.0f, 0.3f, 1.0f}) {
    for (float scale = 1e-5f; scale < 11; scale *= 1.5f) {
      for (const float gate : {1e-4f, 0.01f, 0.3f, 0.7f, 0.99f, 0.9999f}) {
        SCOPED_TRACE(testing::Message() << center << " " << scale << " " << gate);
        const Laplace copies[] = {even(center, scale), {center, 0.1f, 0.03f * scale, scale}};
        for (const Laplace& copy : copies) {
          expect_same_as_one_by_one({&bars, probabilities, gate, copy}, even_levels(40));
        }
      }
    }
  }
}

TEST(BarDistributionDeathTest, AsManyQuantilesAsLevels) {
  const Bars bars({0, 1});
  const std::vector<float> probabilities = {1}, levels = {0.5f};
  std::vector<float> out(2);
  EXPECT_DEATH((BarDistribution{&bars, probabilities, 0, even(0, 1)}.quantiles(levels, out)),
               "each");
}

}  // namespace
}  // namespace cmbo::network
