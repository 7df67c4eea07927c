// SPDX-License-Identifier: Apache-2.0
#include "study/cost_model.h"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "study/facts_testing.h"
#include "study/ridge.h"

namespace cmbo::study {
namespace {

using testing::Each;
using testing::ElementsAre;

// One dimension, evenly spread.
curves::CurveTable line_pool(size_t size) {
  curves::CurveTable pool;
  pool.dimensions = 1;
  pool.horizon = 4;
  for (size_t n = 0; n < size; ++n) {
    pool.add(0).x[0] = static_cast<float>(n) / static_cast<float>(size - 1);
  }
  return pool;
}

TEST(CostModelTest, NothingIsKnownAtFirst) {
  const CostModel model = cost_model(make_facts(3, {}), line_pool(3));
  EXPECT_FALSE(model.startup_seconds);
  EXPECT_EQ(model.wanted_steps(0), 2U) << "to get to know it";
  EXPECT_THAT(model.epoch_seconds, ElementsAre(1.0, 1.0, 1.0));
  EXPECT_TRUE(model.epoch_costs({}).empty()) << "an epoch is an epoch";
}

TEST(CostModelTest, StartUpIsToldApartFromEpochs) {
  const CostModel model = cost_model(
      make_facts(3, {{0, {0.5, 0.6, 0.7}, {12.0, 2.0, 2.0}}, {1, {0.5}, {11.0}}}), line_pool(3));
  EXPECT_EQ(model.startup_seconds, 10.0);
  EXPECT_EQ(model.epoch_seconds[0], 2.0);
  EXPECT_EQ(model.epoch_seconds[1], 1.0);
  EXPECT_EQ(model.epoch_seconds[2], 2.0) << "the median, while few are known";
  EXPECT_EQ(model.wanted_steps(0), 15U) << "10 s of 40 s";
  const std::vector<double> costs = model.epoch_costs({.unit = CostUnit::kSeconds});
  EXPECT_NEAR(costs[0], 2.0 + 10.0 / 15.0, 1e-12);
}

TEST(CostModelTest, WithoutStartUpEverySliceIsAnEpoch) {
  const CostModel model = cost_model(make_facts(1, {{0, {0.5, 0.6}, {1.0, 1.5}}}), line_pool(2));
  EXPECT_EQ(model.startup_seconds, 0.0);
  EXPECT_EQ(model.wanted_steps(0), 1U);
}

TEST(CostModelTest, LearnsWhatMakesAnEpochLong) {
  // Seconds 1, 10, 100 along the line.
  std::vector<SliceSteps> slices;
  for (uint32_t n = 0; n < 21; n += 2) {
    const double seconds = std::pow(10.0, n / 10.0);
    slices.push_back({n, {0.5, 0.5}, {seconds, seconds}});
  }
  const CostModel model = cost_model(make_facts(21, slices), line_pool(21));
  for (uint32_t n = 1; n < 21; n += 2) {
    EXPECT_NEAR(std::log10(model.epoch_seconds[n]), n / 10.0, 0.25) << n;
  }
  EXPECT_THAT(model.epoch_seconds, Each(testing::AllOf(testing::Ge(1.0), testing::Le(100.0))));
}

TEST(RidgeTest, FindsALineAndShrinksIt) {
  const std::vector<double> rows = {0, 1, 1, 0, 1, 1, 0, 0};
  const std::vector<double> targets = {5, 2, 7, 0};  // 2 a + 5 b
  const std::vector<float> both = {1.0F, 1.0F}, none = {0.0F, 0.0F};
  const Ridge exact(rows, targets, 1e-9);
  EXPECT_NEAR(exact(both), 7.0, 1e-6);
  EXPECT_NEAR(exact(none), 0.0, 1e-6);
  EXPECT_NEAR(Ridge(rows, targets, 1e9)(both), 3.5, 1e-6) << "nothing but the mean is left";
}

}  // namespace
}  // namespace cmbo::study
