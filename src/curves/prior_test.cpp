// SPDX-License-Identifier: Apache-2.0
#include "curves/prior.h"

#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>

#include "curves/prior_network.h"
#include "curves/prior_shapes.h"
#include "curves/prior_task.h"

namespace cmbo::curves {
namespace {

PriorOptions small_options() {
  PriorOptions options;
  options.configurations = 64;
  options.horizons = {30};
  return options;
}

CurveTable sample(uint64_t seed, const PriorOptions& options = small_options()) {
  Random random(seed);
  return sample_prior(options, random);
}

double difference(std::span<const float> a, std::span<const float> b) {
  double sum = 0;
  for (size_t i = 0; i < a.size(); ++i) sum += std::abs(static_cast<double>(a[i] - b[i]));
  return sum / static_cast<double>(a.size());
}

size_t nearest(const CurveTable& table, size_t n) {
  size_t best = n;
  double smallest = kNever;
  for (size_t other = 0; other < table.size(); ++other) {
    if (other == n) continue;
    const double distance = difference(table.configuration(n), table.configuration(other));
    if (distance < smallest) {
      smallest = distance;
      best = other;
    }
  }
  return best;
}

// Columns that are not 0 everywhere.
std::set<size_t> used_columns(const CurveTable& table) {
  std::set<size_t> used;
  for (size_t i = 0; i < table.x.size(); ++i) {
    if (table.x[i] != 0.0f) used.insert(i % table.dimensions);
  }
  return used;
}

TEST(PriorTest, TheSeedDeterminesEveryByte) {
  const CurveTable first = sample(1), again = sample(1), other = sample(2);
  EXPECT_EQ(first.x, again.x);
  EXPECT_EQ(first.y, again.y);
  EXPECT_EQ(first.initial, again.initial);
  EXPECT_NE(first.x, other.x);
  EXPECT_NE(first.y, other.y);
}

TEST(PriorTest, TablesAreCompleteAndInRange) {
  PriorOptions options = small_options();
  options.horizons = {1, 7, 30};
  std::set<size_t> horizons;
  const auto in_range = [](float value) { return value >= 0.0f && value <= 1.0f; };
  for (uint64_t seed = 0; seed < 100; ++seed) {
    const CurveTable table = sample(seed, options);
    ASSERT_EQ(table.size(), 64u);
    ASSERT_EQ(table.y.size(), 64u * table.horizon);
    EXPECT_TRUE(std::all_of(table.lengths.begin(), table.lengths.end(),
                            [&](uint32_t length) { return length == table.horizon; }));
    EXPECT_TRUE(std::all_of(table.x.begin(), table.x.end(), in_range));
    EXPECT_TRUE(std::all_of(table.y.begin(), table.y.end(), in_range));
    EXPECT_TRUE(in_range(table.initial));
    horizons.insert(table.horizon);
  }
  EXPECT_THAT(horizons, testing::ElementsAre(1u, 7u, 30u));
}

TEST(PriorTest, OneConfigurationIsEnough) {
  PriorOptions options = small_options();
  options.configurations = 1;
  for (uint64_t seed = 0; seed < 50; ++seed) {
    for (const float value : sample(seed, options).y) EXPECT_TRUE(value >= 0 && value <= 1);
  }
}

TEST(PriorTest, PaddedDimensionsAreZero) {
  PriorOptions options = small_options();
  options.min_dimensions = options.max_dimensions = 5;
  EXPECT_EQ(used_columns(sample(1, options)).size(), 5u);
  options.min_dimensions = 2;
  options.max_dimensions = 12;
  options.shuffle = false;
  std::set<size_t> counts;
  for (uint64_t seed = 0; seed < 100; ++seed) {
    const CurveTable table = sample(seed, options);
    const std::set<size_t> used = used_columns(table);
    EXPECT_EQ(table.dimensions, 12u);
    EXPECT_EQ(*used.rbegin() + 1, used.size());  // padding comes last
    counts.insert(used.size());
    options.pad = false;
    EXPECT_EQ(sample(seed, options).dimensions, used.size());
    options.pad = true;
  }
  EXPECT_EQ(*counts.begin(), 2u);
  EXPECT_EQ(*counts.rbegin(), 12u);
}

TEST(PriorTest, InputsAreShuffledOverAllColumns) {
  PriorOptions options = small_options();
  options.min_dimensions = 3;
  std::vector<int> uses(16, 0);
  for (uint64_t seed = 0; seed < 200; ++seed) {
    for (const size_t column : used_columns(sample(seed, options))) ++uses[column];
  }
  const auto [fewest, most] = std::minmax_element(uses.begin(), uses.end());
  EXPECT_GT(*fewest, 80);  // of 200; 119 are expected
  EXPECT_LT(*most, 155);
}

TEST(PriorTest, NearbyConfigurationsHaveCloserCurves) {
  PriorOptions options = small_options();
  options.configurations = 128;
  options.max_dimensions = 4;
  double near = 0, far = 0;
  for (uint64_t seed = 0; seed < 40; ++seed) {
    const CurveTable table = sample(seed, options);
    for (size_t n = 0; n < table.size(); ++n) {
      near += difference(table.curve(n), table.curve(nearest(table, n)));
      far += difference(table.curve(n), table.curve((n + 1) % table.size()));
    }
  }
  EXPECT_LT(near, 0.5 * far);
}

TEST(PriorTest, DivergedCurvesStayAtZero) {
  size_t diverged = 0;
  for (uint64_t seed = 0; seed < 100; ++seed) {
    const CurveTable table = sample(seed);
    for (size_t n = 0; n < table.size(); ++n) {
      const auto curve = table.curve(n);
      const auto first = std::find(curve.begin(), curve.end(), 0.0f);
      diverged += first != curve.end() ? 1 : 0;
      EXPECT_TRUE(std::all_of(first, curve.end(), [](float value) { return value == 0.0f; }));
    }
  }
  EXPECT_GT(diverged, 100u);
}

// Shares of the curves of a table.
struct Shares {
  double flat = 0, diverged = 0, improving = 0, worse = 0;
};

Shares shares_of(const CurveTable& table) {
  Shares shares;
  const double unit = 1.0 / static_cast<double>(table.size());
  for (size_t n = 0; n < table.size(); ++n) {
    const auto curve = table.curve(n);
    const auto [low, high] = std::minmax_element(curve.begin(), curve.end());
    const float gain = curve.back() - table.initial;
    if (curve.back() == 0.0f) {
      shares.diverged += unit;
    } else if (*low > table.initial - 0.01f && *high < table.initial + 0.01f) {
      shares.flat += unit;
    } else if (gain > 0.02f) {
      shares.improving += unit;
    } else if (gain < -0.02f) {
      shares.worse += unit;
    }
  }
  return shares;
}

TEST(PriorTest, SharesAreAsTheHeaderSays) {
  constexpr int kTasks = 200;
  Shares mean;
  double most_diverged = 0;
  int none_diverged = 0, mostly_flat = 0, all_improve = 0;
  for (uint64_t seed = 0; seed < kTasks; ++seed) {
    const Shares shares = shares_of(sample(1000 + seed));
    mean.flat += shares.flat / kTasks;
    mean.diverged += shares.diverged / kTasks;
    mean.improving += shares.improving / kTasks;
    mean.worse += shares.worse / kTasks;
    most_diverged = std::max(most_diverged, shares.diverged);
    none_diverged += shares.diverged == 0 ? 1 : 0;
    mostly_flat += shares.flat > 0.5 ? 1 : 0;
    all_improve += shares.improving > 0.95 ? 1 : 0;
  }
  EXPECT_TRUE(mean.flat > 0.10 && mean.flat < 0.25) << mean.flat;
  EXPECT_TRUE(mean.diverged > 0.03 && mean.diverged < 0.09) << mean.diverged;
  EXPECT_TRUE(mean.improving > 0.50 && mean.improving < 0.70) << mean.improving;
  EXPECT_TRUE(mean.worse > 0.04 && mean.worse < 0.13) << mean.worse;
  EXPECT_LT(most_diverged, 0.6);
  EXPECT_TRUE(none_diverged > 110 && none_diverged < 170) << none_diverged;
  EXPECT_TRUE(mostly_flat > 16 && mostly_flat < 50) << mostly_flat;
  EXPECT_TRUE(all_improve > 20 && all_improve < 60) << all_improve;
}

CurveShape shape_with_weight(size_t k) {
  CurveShape shape;
  shape.weights = {0, 0, 0, 0};
  shape.weights[k] = 1;
  shape.power = 0.7;
  shape.stretch = 0.6;
  shape.log_range = 8;
  shape.hill = 2.5;
  return shape;
}

// A recorded task for blends: every curve constant at its row's number of hundredths.
CurveTable constant_table(size_t rows, float initial) {
  CurveTable table = sample(5);
  table.initial = initial;
  for (size_t n = 0; n < rows; ++n) {
    std::fill_n(table.y.begin() + static_cast<ptrdiff_t>(n * table.horizon), table.horizon,
                static_cast<float>(n + 1) / 100.0F);
  }
  return table;
}

TEST(PriorBlendTest, KeepsConfigurationsAndYZeroAndStaysInRange) {
  const CurveTable before = constant_table(64, 0.3F);
  for (uint64_t seed = 1; seed < 20; ++seed) {
    CurveTable table = before;
    Random random(seed);
    blend_with_prior(table, random);
    EXPECT_EQ(table.x, before.x);
    EXPECT_EQ(table.lengths, before.lengths);
    EXPECT_EQ(table.initial, 0.3F);
    for (const float y : table.y) EXPECT_TRUE(y >= 0.0F && y <= 1.0F) << y;
    EXPECT_NE(table.y, before.y);
  }
}

TEST(PriorBlendTest, TheSameShareOfTheRecordedTaskIsLeftInEveryRow) {
  const CurveTable before = constant_table(64, 0.3F);
  CurveTable other = before;
  for (float& y : other.y) y = 0.9F;
  for (uint64_t seed = 1; seed < 20; ++seed) {
    CurveTable first = before, second = other;
    Random random(seed), again(seed);
    blend_with_prior(first, random);
    blend_with_prior(second, again);
    // first - second = weight (recorded - 0.9), for the synthetic part is the same in both.
    const double weight = static_cast<double>(first.y[0] - second.y[0]) / (0.01 - 0.9);
    for (size_t i = 0; i < first.y.size(); ++i) {
      EXPECT_NEAR(static_cast<double>(first.y[i] - second.y[i]),
                  weight * static_cast<double>(before.y[i] - 0.9F), 1e-5);
    }
    EXPECT_TRUE(weight >= 0.0 && weight <= 1.0) << weight;
  }
}

TEST(PriorShapesTest, EveryShapeRisesFromZeroThroughOneHalfTowardsOne) {
  for (size_t k = 0; k < 4; ++k) {
    const CurveShape shape = shape_with_weight(k);
    EXPECT_EQ(progress(shape, 0.0), 0.0) << k;
    EXPECT_NEAR(progress(shape, 1.0), 0.5, 1e-12) << k;
    EXPECT_GT(progress(shape, 1e4), 0.99) << k;
    EXPECT_LE(progress(shape, 1e4), 1.0) << k;
    double last = 0;
    for (double r = 0.05; r < 8; r += 0.05) {
      EXPECT_GT(progress(shape, r), last) << k << " at " << r;
      last = progress(shape, r);
    }
  }
  EXPECT_NEAR(progress(shape_with_weight(1), 4.0), 1 - std::exp2(-std::pow(4.0, 0.6)), 1e-12);
  EXPECT_EQ(progress(shape_with_weight(2), 10.0), 1.0);  // saturated at c + 2
}

TEST(PriorShapesTest, LevelsBreaksAndDeathOfAKnownCurve) {
  CurveShape shape = shape_with_weight(3);
  shape.initial = shape.start = 0.2;
  shape.asymptote = 0.8;
  shape.hill = 1;
  shape.half = 2;
  shape.break_at = 2;  // saturates half way
  shape.break_speed = 0;
  shape.dies_at = 4;
  std::vector<float> curve(6);
  Random random(1);
  draw_curve(shape, random, curve);
  EXPECT_THAT(curve,
              testing::Pointwise(testing::FloatNear(1e-6f), {0.4f, 0.5f, 0.5f, 0.0f, 0.0f, 0.0f}));
}

TEST(PriorShapesTest, NothingLearnedAndNoNoiseIsExactlyTheStart) {
  CurveShape shape = shape_with_weight(0);
  std::vector<float> curve(5);
  Random random(1);
  for (const double level : {0.003, 0.3}) {  // 0.003 is the lowest y_0 of a task
    shape.initial = shape.start = shape.asymptote = level;
    draw_curve(shape, random, curve);
    EXPECT_THAT(curve, testing::Each(static_cast<float>(level)));
  }
}

TEST(PriorShapesTest, LivingCurvesNeverTouchZero) {
  CurveShape shape = shape_with_weight(1);
  shape.initial = shape.start = 0.3;
  shape.asymptote = -0.5;
  shape.noise.white = 0.3;
  std::vector<float> curve(500);
  Random random(1);
  draw_curve(shape, random, curve);
  EXPECT_THAT(curve, testing::Each(testing::Ge(static_cast<float>(kLowestAlive))));
}

TEST(PriorShapesTest, ValuesOfLivingCurvesAreMultiplesOfTheGrain) {
  CurveShape shape = shape_with_weight(1);
  shape.initial = shape.start = 0.02;
  shape.asymptote = 0.995;
  shape.half = 10;
  shape.noise.white = 0.05;
  shape.noise.grain = 0.01;
  std::vector<float> curve(200);
  Random random(1);
  draw_curve(shape, random, curve);
  std::set<float> values(curve.begin(), curve.end());
  for (const float value : values) {
    const double multiple = static_cast<double>(value) / 0.01;
    EXPECT_TRUE(std::abs(multiple - std::round(multiple)) < 1e-4 ||
                value == static_cast<float>(kLowestAlive))
        << value;
    EXPECT_TRUE(value > 0.0F && value <= 1.0F) << value;
  }
  EXPECT_GT(values.size(), 20u);
}

// Overfitting, not divergence alone: the very best curve of a task peaks early and ends far below.
TEST(PriorTest, InSomeTasksTheBestCurvesPeakEarlyAndFall) {
  int early = 0;
  for (uint64_t seed = 0; seed < 300; ++seed) {
    const CurveTable table = sample(seed);
    std::span<const float> best = table.curve(0);
    const auto peak = [](std::span<const float> curve) {
      return std::max_element(curve.begin(), curve.end());
    };
    for (size_t n = 1; n < table.size(); ++n) {
      if (*peak(table.curve(n)) > *peak(best)) best = table.curve(n);
    }
    const float gain = *peak(best) - table.initial;
    const bool falls = best.back() > 0.0F && best.back() < *peak(best) - 0.2F * gain;
    early += falls && peak(best) - best.begin() < 10 ? 1 : 0;
  }
  EXPECT_TRUE(early > 8 && early < 45) << early;
}

TEST(PriorNetworkTest, ScoresAreStandardizedAndNearNormal) {
  Random random(3);
  std::vector<double> below(3, 0.0);
  for (int task = 0; task < 50; ++task) {
    const PriorInputs inputs = draw_inputs(1 + random.index(16), 200, random);
    LatentScores scores = draw_scores(inputs, 2, 0.2, random);
    double sum = 0, square = 0;
    for (const double z : scores.score(1)) {
      sum += z / 200;
      square += z * z / 200;
      const double levels[] = {0.1, 0.5, 0.9};
      for (size_t i = 0; i < 3; ++i) below[i] += normal_cdf(z) < levels[i] ? 1.0 / 10000 : 0;
    }
    EXPECT_NEAR(sum, 0, 1e-9);
    EXPECT_NEAR(square, 1, 1e-9);
  }
  EXPECT_NEAR(below[0], 0.1, 0.05);
  EXPECT_NEAR(below[1], 0.5, 0.05);
  EXPECT_NEAR(below[2], 0.9, 0.05);
}

}  // namespace
}  // namespace cmbo::curves
