// SPDX-License-Identifier: Apache-2.0
#include "curves/warp.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cmbo::curves {
namespace {

using ::testing::ElementsAre;
using ::testing::FloatNear;

CurveTable table_of(std::vector<std::vector<float>> curves) {
  CurveTable table;
  table.dimensions = 1;
  table.horizon = curves[0].size();
  table.initial = 0.4F;
  for (const auto& curve : curves) {
    const auto row = table.add(curve.size());
    std::copy(curve.begin(), curve.end(), row.y.begin());
  }
  return table;
}

TEST(WarpTest, NoWarpChangesNothing) {
  CurveTable table = table_of({{0.5F, 0.2F, 0.0F, 1.0F}});
  const std::vector<float> before = table.y;
  apply({}, table);
  for (size_t i = 0; i < before.size(); ++i) EXPECT_NEAR(table.y[i], before[i], 1e-6F);
}

TEST(WarpTest, ValuesStretchBetweenFixedPoints) {
  CurveTable table = table_of({{0.4F, 0.0F, 1.0F}, {0.7F, 0.7F, 0.7F}, {0.2F, 0.2F, 0.2F}});
  apply({.above = 2.0, .below = 2.0}, table);
  EXPECT_THAT(table.curve(0), ElementsAre(0.4F, 0.0F, 1.0F));
  EXPECT_NEAR(table.curve(1)[0], 0.4F + 0.6F * 0.25F, 1e-6F);
  EXPECT_NEAR(table.curve(2)[0], 0.4F - 0.4F * 0.25F, 1e-6F);
}

TEST(WarpTest, TimeStretchesFromTheInitialValueToTheLast) {
  CurveTable table = table_of({{0.5F, 0.6F, 0.7F, 0.8F}});
  apply({.time = 2.0}, table);  // epochs 1/4, 1, 9/4, 4
  EXPECT_THAT(table.curve(0), ElementsAre(FloatNear(0.425F, 1e-6F), FloatNear(0.5F, 1e-6F),
                                          FloatNear(0.625F, 1e-6F), FloatNear(0.8F, 1e-6F)));
}

TEST(WarpTest, NothingLiesBetweenDivergedAndNot) {
  CurveTable table = table_of({{0.5F, 0.5F, 0.0F, 0.0F, 0.0F, 0.0F}});
  apply({.time = 1.3}, table);
  for (const float y : table.curve(0)) EXPECT_TRUE(y == 0.0F || y > 0.35F) << y;
}

TEST(WarpTest, NoiseGrowsAroundTheLocalMeanAndFlatCurvesStayFlat) {
  CurveTable table = table_of({{0.5F, 0.6F, 0.5F, 0.6F, 0.5F}, {0.5F, 0.5F, 0.5F, 0.5F, 0.5F}});
  apply({.noise = 2.0}, table);
  EXPECT_NEAR(table.curve(0)[2], 0.54F - 2 * 0.04F, 1e-6F);
  for (const float y : table.curve(1)) EXPECT_NEAR(y, 0.5F, 1e-6F);
}

TEST(WarpTest, DrawsAreSpreadAroundOne) {
  Random random(3);
  double sum = 0.0, squares = 0.0;
  for (int i = 0; i < 2000; ++i) {
    const double log_time = std::log(draw_warp(0.3, random).time);
    sum += log_time;
    squares += log_time * log_time;
  }
  EXPECT_NEAR(sum / 2000, 0.0, 0.03);
  EXPECT_NEAR(squares / 2000, 0.09, 0.01);
}

}  // namespace
}  // namespace cmbo::curves
