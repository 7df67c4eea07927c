// SPDX-License-Identifier: Apache-2.0
#include "decide/outlook.h"

#include <gtest/gtest.h>

#include "decide/decide_testing.h"
#include "decide/loop.h"

namespace cmbo::decide {
namespace {

// After ten units of cost, at a best value of 0.5.
class OutlookTest : public testing::Test {
 protected:
  Outlook look(const forecast::Samples& futures) {
    const Utility utility = Utility::linear(alpha_).value();
    const Standing standing{10.0, 0.5F, utility(10.0, 0.5)};
    return foresee({futures, standing, standing.utility + lost_, utility(budget_.total, 0.1),
                    utility, budget_, stopping_, kept_});
  }

  double alpha_ = 0.01;
  double lost_ = 0.0;  // since the best utility
  Budget budget_ = {.total = 100};
  StoppingRule stopping_ = {};
  Kept kept_ = {};
};

TEST_F(OutlookTest, FollowsACurveThatIsCertain) {
  forecast::Samples futures = make_samples(5);
  add_future(futures, 3, {{0.5F, 0.6F, 0.9F, 0.9F, 0.9F}});
  const Outlook outlook = look(futures);
  EXPECT_NEAR(outlook.best, 0.9, 1e-6);
  EXPECT_NEAR(outlook.rise, 0.4, 1e-6);
  EXPECT_GE(outlook.epochs, 3.0) << "up to the best, and what it takes to be sure";
  EXPECT_EQ(outlook.cost, outlook.epochs);
  EXPECT_NEAR(outlook.utility, outlook.best - 0.01 * (10 + outlook.cost), 1e-6);
  ASSERT_EQ(outlook.shares.size(), 1U);
  EXPECT_EQ(outlook.shares[0].configuration, 3U);
  EXPECT_EQ(outlook.shares[0].epochs, outlook.epochs);
}

TEST_F(OutlookTest, StopsSoonWhereNothingIsToBeGained) {
  forecast::Samples futures = make_samples(50);
  for (uint32_t n = 0; n < 3; ++n) add_future(futures, n, {std::vector<float>(50, 0.2F)});
  const Outlook outlook = look(futures);
  EXPECT_LE(outlook.epochs, 1.0);
  EXPECT_EQ(outlook.best, 0.5);
  EXPECT_EQ(outlook.rise, 0.0);
  EXPECT_FALSE(outlook.at_least);
}

TEST_F(OutlookTest, NeverSpendsMoreThanTheBudget) {
  alpha_ = 0.0;
  budget_ = {.total = 17, .epoch_costs = {2.0, 3.0}};
  forecast::Samples futures = make_samples(20);
  Random random(3);
  for (uint32_t n = 0; n < 2; ++n) add_future(futures, n, draw_curves(8, 20, random));
  const Outlook outlook = look(futures);
  EXPECT_GT(outlook.cost, 4.0);
  EXPECT_LE(outlook.cost, 7.0);
  EXPECT_FALSE(outlook.at_least);
}

TEST_F(OutlookTest, SaysWhenItDoesNotSeeTheEnd) {
  alpha_ = 0.0;
  budget_ = {.total = 1e9};
  forecast::Samples futures = make_samples(4);
  add_future(futures, 0, {{0.6F, 0.7F, 0.8F, 0.9F}});
  const Outlook outlook = look(futures);
  EXPECT_EQ(outlook.epochs, 4.0);
  EXPECT_TRUE(outlook.at_least);
}

TEST_F(OutlookTest, FreshOnesAreTrustedAsFarAsThePolicyDoes) {
  budget_ = {.total = 11};  // one more epoch
  forecast::Samples futures = make_samples(3);
  add_future(futures, 0, {{0.9F, 0.9F, 0.9F}});
  add_future(futures, 1, {{0.8F, 0.8F}});  // has begun
  EXPECT_NEAR(look(futures).best, 0.9, 1e-6);
  kept_.fresh = 0.5;
  EXPECT_NEAR(look(futures).best, 0.8, 1e-6);
}

TEST_F(OutlookTest, WhoKeepsLittleStopsSooner) {
  forecast::Samples futures = make_samples(30);
  Random random(5);
  for (uint32_t n = 0; n < 4; ++n) add_future(futures, n, draw_curves(8, 30, random));
  const double trusting = look(futures).epochs;
  kept_.all = 0.1;
  EXPECT_LT(look(futures).epochs, trusting);
}

TEST_F(OutlookTest, ByThePapersRuleItStopsWhereTooMuchWasLost) {
  alpha_ = 1e-4;
  stopping_.by = StopBy::kRegret;
  Curves curves(32, std::vector<float>(8, 0.5F));
  curves[0].back() = 0.9F;  // a small chance
  forecast::Samples futures = make_samples(8);
  add_future(futures, 0, curves);
  EXPECT_GE(look(futures).epochs, 1.0);
  lost_ = 0.3;
  EXPECT_EQ(look(futures).epochs, 0.0);
}

TEST_F(OutlookTest, AveragesOverWhatMayCome) {
  forecast::Samples futures = make_samples(2);
  add_future(futures, 0, {{0.9F, 0.9F}, {0.1F, 0.1F}});
  const Outlook outlook = look(futures);
  EXPECT_GT(outlook.best, 0.55);
  EXPECT_LT(outlook.best, 0.85);
  const Outlook again = look(futures);
  EXPECT_EQ(outlook.best, again.best);
  EXPECT_EQ(outlook.cost, again.cost);
}

TEST(LoopOutlookTest, ComesWithADecisionToGoOnWhereItIsWanted) {
  const std::vector<Curves> futures = {{{0.2F, 0.4F, 0.6F}}, {{0.1F, 0.1F, 0.1F}}};
  const Utility utility = Utility::linear(0.01).value();
  for (const bool wanted : {false, true}) {
    CmboPolicy policy(fixed_futures(futures), {.utility = utility});
    LoopOptions options;
    options.foresee = wanted;
    Loop loop(make_pool(2, 3), utility, options, policy);
    EXPECT_FALSE(loop.ask().value().outlook) << "before the first step";
    loop.tell(0, 0.2F);
    const Decision decision = loop.ask().value();
    ASSERT_EQ(decision.outlook.has_value(), wanted);
    if (wanted) {
      EXPECT_NEAR(decision.outlook->best, 0.6, 1e-6);
    }
  }
}

}  // namespace
}  // namespace cmbo::decide
