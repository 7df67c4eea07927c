// SPDX-License-Identifier: Apache-2.0
#include "decide/utility.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>

#include "decide/decide_testing.h"

namespace cmbo::decide {
namespace {

using testing::HasSubstr;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

TEST(UtilityTest, Linear) {
  const Utility utility = Utility::linear(0.0002).value();
  EXPECT_DOUBLE_EQ(utility(100, 0.5), 0.48);
  EXPECT_DOUBLE_EQ(utility(0, 0.5), 0.5);
  EXPECT_EQ(utility.description(), "y - 0.0002 b");
  EXPECT_EQ(Utility::linear(0).value()(1e9, 0.25), 0.25);
}

TEST(UtilityTest, Power) {
  const Utility utility = Utility::power(0.5, 2, 300).value();
  EXPECT_DOUBLE_EQ(utility(150, 0.9), 0.9 - 0.125);
  EXPECT_DOUBLE_EQ(utility(300, 0.9), 0.4);
  EXPECT_EQ(utility.description(), "y - 0.5 (b / 300)^2");
}

TEST(UtilityTest, TablesInsideAndBeyondTheirEnds) {
  const Utility utility =
      Utility::table({{0.5, 0}, {0.9, 8}, {1.0, 108}}, {{10, 1}, {20, 2}, {30, 5}}).value();
  EXPECT_FALSE(utility.is_plain());
  EXPECT_DOUBLE_EQ(utility.value(0.1), 0);
  EXPECT_DOUBLE_EQ(utility.value(0.7), 4);
  EXPECT_DOUBLE_EQ(utility.value(0.9), 8);
  EXPECT_DOUBLE_EQ(utility.value(2), 108);
  EXPECT_DOUBLE_EQ(utility.price(0), 1);
  EXPECT_DOUBLE_EQ(utility.price(15), 1.5);
  EXPECT_DOUBLE_EQ(utility.price(40), 8) << "later epochs are not free";
  EXPECT_DOUBLE_EQ(utility(15, 0.7), 2.5);
}

TEST(UtilityTest, AnEmptyTableIsTheValueItselfOrNoPrice) {
  EXPECT_EQ(Utility::table({}, {}).value()(100, 0.25), 0.25);
  EXPECT_TRUE(Utility::table({}, {{0, 0}, {1, 1}}).value().is_plain());
  EXPECT_EQ(Utility::table({{0.5, 7}}, {{3, 2}}).value()(100, 0.25), 5);
}

TEST(UtilityTest, RisesWithTheBestAndFallsWithTheCost) {
  const Utility utilities[] = {
      Utility::linear(0.01).value(), Utility::power(0.3, 0.5, 100).value(),
      Utility::table({{0.2, 0}, {0.6, 0.1}, {0.7, 0.9}}, {{5, 0}, {50, 0}, {60, 2}}).value()};
  for (const Utility& utility : utilities) {
    for (int i = 0; i < 100; ++i) {
      EXPECT_LE(utility(i, 0.5), i == 0 ? 1.0 : utility(i - 1, 0.5)) << utility.description();
      EXPECT_GE(utility(7, (i + 1) / 100.0), utility(7, i / 100.0)) << utility.description();
    }
  }
}

std::string error(const Result<Utility>& utility) {
  return utility.ok() ? "none" : utility.error().message();
}

TEST(UtilityTest, RefusesWhatIsNotMonotone) {
  for (const double alpha : {-0.1, kInfinity, kNan}) {
    EXPECT_THAT(error(Utility::linear(alpha)), HasSubstr("alpha"));
    EXPECT_THAT(error(Utility::power(alpha, 1, 300)), HasSubstr("alpha"));
  }
  for (const double bad : {0.0, -1.0, kInfinity, kNan}) {
    EXPECT_THAT(error(Utility::power(1, bad, 300)), HasSubstr("exponent"));
    EXPECT_THAT(error(Utility::power(1, 1, bad)), HasSubstr("budget"));
  }
  EXPECT_THAT(error(Utility::table({{0, 0}, {1, -1}}, {})), HasSubstr("value[1]"));
  EXPECT_THAT(error(Utility::table({{0, 0}, {0, 1}}, {})), HasSubstr("sort"));
  EXPECT_THAT(error(Utility::table({}, {{0, 0}, {1, 1}, {2, 0.5}})), HasSubstr("price[2]"));
  EXPECT_THAT(error(Utility::table({}, {{0, kNan}})), HasSubstr("price[0]"));
}

}  // namespace
}  // namespace cmbo::decide
