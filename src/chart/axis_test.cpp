// SPDX-License-Identifier: Apache-2.0
#include "chart/axis.h"

#include <gtest/gtest.h>
#include <initializer_list>

#include "chart/chart_testing.h"

namespace cmbo::chart {
namespace {

Extent extent_of(std::initializer_list<double> values, Scale scale = Scale::kLinear) {
  Extent extent(scale);
  for (const double value : values) extent.include(value);
  return extent;
}

TEST(DrawableTest, DependsOnTheScale) {
  EXPECT_TRUE(is_drawable(-1.0, Scale::kLinear));
  EXPECT_FALSE(is_drawable(kNan, Scale::kLinear));
  EXPECT_FALSE(is_drawable(kInfinity, Scale::kLinear));
  EXPECT_FALSE(is_drawable(1e301, Scale::kLinear));
  EXPECT_TRUE(is_drawable(1e-9, Scale::kLog));
  EXPECT_FALSE(is_drawable(0.0, Scale::kLog));
  EXPECT_FALSE(is_drawable(-1.0, Scale::kLog));
}

TEST(ExtentTest, SeesDrawableValuesOnly) {
  const Extent extent = extent_of({3.0, kNan, -1.0, kInfinity});
  EXPECT_EQ(extent.low(), -1.0);
  EXPECT_EQ(extent.high(), 3.0);
  EXPECT_TRUE(extent.whole());
  EXPECT_FALSE(extent_of({3.0, 0.5}).whole());
  EXPECT_TRUE(extent_of({kNan}).empty());
  EXPECT_TRUE(extent_of({0.0, -2.0}, Scale::kLog).empty());
}

TEST(AxisRangeTest, PadsDataButNotAcrossZero) {
  const Range range = axis_range({}, extent_of({10.0, 20.0}), 0.1);
  EXPECT_DOUBLE_EQ(range.low, 9.0);
  EXPECT_DOUBLE_EQ(range.high, 21.0);
  EXPECT_EQ(axis_range({}, extent_of({0.05, 2.0}), 0.1).low, 0.0);
  EXPECT_EQ(axis_range({}, extent_of({-3.0, -0.1}), 0.1).high, 0.0);
}

TEST(AxisRangeTest, PadsLogarithmsOnLogAxes) {
  const Range range = axis_range({"", Scale::kLog}, extent_of({1.0, 100.0}, Scale::kLog), 0.5);
  EXPECT_NEAR(range.low, 0.1, 1e-12);
  EXPECT_NEAR(range.high, 1000.0, 1e-9);
}

TEST(AxisRangeTest, GivenLimitsAreExact) {
  const Range both = axis_range({"", Scale::kLinear, 0.0, 1.0}, extent_of({-5.0, 5.0}), 0.1);
  EXPECT_EQ(both.low, 0.0);
  EXPECT_EQ(both.high, 1.0);
  const Range one = axis_range({"", Scale::kLinear, 0.0, {}}, extent_of({5.0, 10.0}), 0.1);
  EXPECT_EQ(one.low, 0.0);
  EXPECT_DOUBLE_EQ(one.high, 11.0);
}

TEST(AxisRangeTest, ImpossibleLimitsCountAsNotGiven) {
  const Extent data = extent_of({1.0, 2.0});
  const Range swapped = axis_range({"", Scale::kLinear, 5.0, 4.0}, data, 0.0);
  EXPECT_EQ(swapped.low, 1.0);
  EXPECT_EQ(swapped.high, 2.0);
  EXPECT_EQ(axis_range({"", Scale::kLinear, kNan, {}}, data, 0.0).low, 1.0);
  EXPECT_DOUBLE_EQ(axis_range({"", Scale::kLog, 0.0, {}}, data, 0.0).low, 1.0);
}

TEST(AxisRangeTest, IsNeverEmpty) {
  for (const Scale scale : {Scale::kLinear, Scale::kLog}) {
    for (const double value : {0.0, 1.0, -7.5, 1e-300, 1e300, 0.3, 1e9, kNan}) {
      for (const auto& low : {std::optional<double>(), std::optional(2.0), std::optional(1e12)}) {
        const Range range = axis_range({"", scale, low, {}}, extent_of({value}, scale), 0.05);
        EXPECT_LT(range.low, range.high) << value;
        EXPECT_TRUE(is_drawable(range.low, scale) && is_drawable(range.high, scale)) << value;
      }
    }
  }
  const Range below = axis_range({"", Scale::kLinear, {}, 3.0}, extent_of({5.0}), 0.0);
  EXPECT_LT(below.low, 3.0);
  EXPECT_EQ(below.high, 3.0);
}

TEST(AxisRangeTest, NearlyConstantIsConstant) {
  for (const Scale scale : {Scale::kLinear, Scale::kLog}) {
    const Range range = axis_range({"", scale}, extent_of({1.0, 1.0 + 1e-13}, scale), 0.0);
    EXPECT_GT(range.high - range.low, 0.1);
  }
}

TEST(AxisMapTest, IsStraightInItsScale) {
  const AxisMap linear({0.0, 10.0}, Scale::kLinear, 100.0, 0.0);
  EXPECT_DOUBLE_EQ(linear(0.0), 100.0);
  EXPECT_DOUBLE_EQ(linear(2.5), 75.0);
  EXPECT_DOUBLE_EQ(linear(20.0), -100.0);
  const AxisMap log({0.01, 100.0}, Scale::kLog, 0.0, 400.0);
  EXPECT_NEAR(log(0.1), 100.0, 1e-9);
  EXPECT_NEAR(log(1.0), 200.0, 1e-9);
  EXPECT_TRUE(log.contains(100.0));
  EXPECT_FALSE(log.contains(100.1));
  EXPECT_FALSE(log.contains(-1.0));
}

}  // namespace
}  // namespace cmbo::chart
