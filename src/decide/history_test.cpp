// SPDX-License-Identifier: Apache-2.0
#include "decide/history.h"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "decide/decide_testing.h"

namespace cmbo::decide {
namespace {

using testing::ElementsAre;

TEST(HistoryTest, ForgetsTheCurvesOfThePool) {
  curves::CurveTable pool;
  pool.horizon = 2;
  pool.add(2).y[0] = 0.5F;
  const History history(pool);
  EXPECT_EQ(history.epochs(0), 0U);
  EXPECT_THAT(history.curves().y, ElementsAre(0.0F, 0.0F));
  EXPECT_EQ(history.best(), 0.0F);
  EXPECT_EQ(history.spent(), 0.0);
}

TEST(HistoryTest, AddsEpochsAndTheirCosts) {
  History history(make_pool(3, 2));
  history.add(1, 0.75F);
  history.add(1, 0.5F, 2.5);
  history.add(2, 0.25F);
  EXPECT_THAT(history.candidates(), ElementsAre(0, 2));
  EXPECT_THAT(history.curves().curve(1), ElementsAre(0.75F, 0.5F));
  EXPECT_EQ(history.steps()[1].epoch, 2U);
  EXPECT_EQ(history.best(), 0.75F);
  EXPECT_EQ(history.spent(), 4.5);
}

TEST(HistoryTest, ValuesStayWithinTheirRange) {
  History history(make_pool(1, 3));
  for (const float y : {std::nanf(""), 1.5F, -1.0F}) history.add(0, y);
  EXPECT_THAT(history.curves().curve(0), ElementsAre(0.0F, 1.0F, 0.0F));
}

TEST(HistoryTest, WhatIsWithheldIsNoCandidate) {
  History history(make_pool(3, 2));
  history.withhold(1);
  EXPECT_THAT(history.candidates(), ElementsAre(0, 2));
  history.add(1, 0.5F);
  EXPECT_EQ(history.epochs(1), 1U) << "it may be trained all the same";
}

TEST(HistoryTest, AChargeIsNoStep) {
  History history(make_pool(1, 2));
  history.charge(2.5);
  history.add(0, 0.5F);
  EXPECT_EQ(history.spent(), 3.5);
  EXPECT_EQ(history.steps().size(), 1U);
}

TEST(HistoryDeathTest, ThereIsNoEpochAfterTheLast) {
  History history(make_pool(1, 1));
  history.add(0, 0.5F);
  EXPECT_DEATH(history.add(0, 0.5F), "no such epoch");
  EXPECT_DEATH(history.add(1, 0.5F), "no such epoch");
}

}  // namespace
}  // namespace cmbo::decide
