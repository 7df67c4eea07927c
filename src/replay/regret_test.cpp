// SPDX-License-Identifier: Apache-2.0
#include "replay/regret.h"

#include <gtest/gtest.h>

#include "baselines/tables_testing.h"

namespace cmbo::replay {
namespace {

using baselines::table_of;

const decide::Utility kPriced = decide::Utility::linear(0.1).value();

// The first one alone: 0.1, 0.4, 0.35; the second one: 0.3, 0.2, 0.1.
TEST(RegretTest, ByHand) {
  const curves::CurveTable table = table_of({{0.2F, 0.6F, 0.65F}, {0.4F, 0.1F, 0.0F}});
  const RegretScale scale = regret_scale(table, kPriced, 5.0);
  EXPECT_NEAR(scale.best, 0.4, 1e-6);
  EXPECT_NEAR(scale.worst, 0.2 - 0.5, 1e-6);
  EXPECT_NEAR(scale(0.4), 0.0, 1e-6);
  EXPECT_NEAR(scale(0.05), 0.5, 1e-6);
}

TEST(RegretTest, EpochsBeyondTheBudgetDoNotCount) {
  const curves::CurveTable table = table_of({{0.2F, 0.6F, 0.9F}});
  EXPECT_NEAR(regret_scale(table, decide::Utility::linear(0.0).value(), 2.0).best, 0.6, 1e-6);
}

TEST(RegretTest, IsZeroWhereNothingCanBeLost) {
  const curves::CurveTable table = table_of({{0.5F, 0.5F}});
  EXPECT_EQ(regret_scale(table, decide::Utility::linear(0.0).value(), 9.0)(0.5), 0.0);
}

TEST(RegretTest, ReachLooksAheadOfWhatWasTrained) {
  const curves::CurveTable table = table_of({{0.2F, 0.3F, 0.6F, 0.65F}});
  // After 5 steps the next three would be worth 0.3 - 0.6, 0.6 - 0.7, 0.65 - 0.8.
  const Reach reach =
      reachable(table, kPriced, 100.0, {.configuration = 0, .epochs = 1, .steps = 5, .best = 0.1F});
  EXPECT_NEAR(reach.utility, -0.1, 1e-6);
  EXPECT_EQ(reach.horizon, 1U);
}

}  // namespace
}  // namespace cmbo::replay
