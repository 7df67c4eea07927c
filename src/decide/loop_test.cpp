// SPDX-License-Identifier: Apache-2.0
#include "decide/loop.h"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>

#include "decide/decide_testing.h"
#include "decide/reason.h"

namespace cmbo::decide {
namespace {

using testing::HasSubstr;

Utility linear(double alpha) {
  return Utility::linear(alpha).value();
}

// The first candidate, with whatever chance it is told.
class FirstPolicy : public Policy {
 public:
  explicit FirstPolicy(std::optional<double> probability = std::nullopt, uint32_t epochs = 1)
      : probability_(probability), epochs_(epochs) {}
  Result<Choice> choose(const History& history) override {
    ++asked;
    Choice choice;
    choice.configuration = history.candidates().front();
    choice.probability = probability_;
    choice.epochs = epochs_;
    return choice;
  }
  int asked = 0;

 private:
  std::optional<double> probability_;
  uint32_t epochs_;
};

Decision ask(Loop& loop) {
  return loop.ask().value();
}

TEST(LoopTest, TheFirstStepNeverStops) {
  FirstPolicy policy(0.0);
  Loop loop(make_pool(2, 3), linear(0.5), {}, policy);
  const Decision decision = ask(loop);
  EXPECT_FALSE(decision.stop);
  EXPECT_EQ(decision.step, 1U);
  EXPECT_EQ(decision.utility, 0.0);
  EXPECT_EQ(decision.reason, "starting configuration 0");
}

TEST(LoopTest, AskedTwiceTheSameWithoutAnotherForecast) {
  FirstPolicy policy;
  Loop loop(make_pool(2, 3), linear(0), {}, policy);
  EXPECT_EQ(ask(loop).reason, ask(loop).reason);
  EXPECT_EQ(policy.asked, 1);
  loop.tell(0, 0.5F);
  EXPECT_EQ(ask(loop).reason, "going on with configuration 0");
  EXPECT_EQ(policy.asked, 2);
}

// U = y - b/16, B = 8. After (0.75, 0.5): U_max = 11/16, U_prev = 10/16, U_min = 4/16.
TEST(LoopTest, TheNumbersOfADecision) {
  FirstPolicy policy(0.5);
  Loop loop(make_pool(1, 8), linear(0.0625), {.budget = 8}, policy);
  loop.tell(0, 0.75F);
  loop.tell(0, 0.5F);
  EXPECT_EQ(loop.utility(), 0.625);
  const Decision decision = ask(loop);
  EXPECT_EQ(decision.step, 3U);
  EXPECT_EQ(decision.utility, 0.625);
  EXPECT_NEAR(decision.evidence.regret, 1.0 / 7.0, 1e-12);
  EXPECT_NEAR(decision.evidence.threshold, 0.2, 1e-12);
  EXPECT_FALSE(decision.stop);
  loop.tell(0, 0.5F);
  const Decision next = ask(loop);
  EXPECT_NEAR(next.evidence.regret, 2.0 / 7.0, 1e-12);
  EXPECT_TRUE(next.stop);
  EXPECT_EQ(next.choice.configuration, 0U) << "what would have been trained";
  EXPECT_EQ(next.reason,
            "stop: the utility is 0.12 below its best (regret 0.29 > 0.2), and the chance to "
            "improve is 50 %");
}

TEST(LoopTest, APolicyWithoutAProbabilityHasTheFixedThreshold) {
  FirstPolicy policy;
  LoopOptions options{.budget = 8};
  options.stopping.fixed_threshold = 0.3;
  Loop loop(make_pool(1, 8), linear(0.0625), options, policy);
  for (const float y : {0.75F, 0.5F, 0.5F}) loop.tell(0, y);
  EXPECT_EQ(ask(loop).evidence.threshold, 0.3);
  EXPECT_FALSE(ask(loop).stop);
  loop.tell(0, 0.5F);
  EXPECT_TRUE(ask(loop).stop);
  EXPECT_THAT(ask(loop).reason, HasSubstr("regret 0.43 > 0.3)"));
}

TEST(LoopTest, WithoutAPriceItTrainsOnUntilAllIsDone) {
  FirstPolicy policy(0.0);
  Loop loop(make_pool(2, 3), linear(0), {}, policy);
  for (int i = 0; i < 6; ++i) {
    const Decision decision = ask(loop);
    ASSERT_FALSE(decision.stop) << i;
    loop.tell(decision.choice.configuration, 0.5F);
  }
  EXPECT_TRUE(ask(loop).stop);
  EXPECT_EQ(ask(loop).reason, "stop: every configuration is fully trained");
}

TEST(LoopTest, AChoiceOfSeveralEpochsIsTrainedWithoutAskingOrStopping) {
  FirstPolicy policy(0.0, 3);
  Loop loop(make_pool(2, 4), linear(0.0625), {.budget = 8}, policy);
  for (uint32_t left = 3; left > 0; --left) {
    const Decision decision = ask(loop);
    EXPECT_FALSE(decision.stop) << "although nothing can be gained";
    EXPECT_EQ(decision.choice.configuration, 0U);
    EXPECT_EQ(decision.choice.epochs, left);
    loop.tell(0, 0.5F);
  }
  EXPECT_EQ(policy.asked, 1);
  EXPECT_TRUE(ask(loop).stop);
  EXPECT_EQ(policy.asked, 2);
}

TEST(LoopTest, WhatEndsAChoiceOfSeveralEpochsEarly) {
  FirstPolicy policy(1.0, 4);
  Loop loop(make_pool(3, 2), linear(0), {.budget = 5}, policy);
  (void)ask(loop);
  loop.tell(0, std::nanf(""));
  (void)ask(loop);
  EXPECT_EQ(policy.asked, 2) << "diverged";
  loop.tell(0, 0.5F);
  EXPECT_EQ(ask(loop).choice.configuration, 1U) << "finished";
  loop.tell(2, 0.5F);
  (void)ask(loop);
  EXPECT_EQ(policy.asked, 4) << "another one was trained";
  loop.tell(1, 0.5F);
  loop.tell(1, 0.5F);
  EXPECT_TRUE(ask(loop).stop) << "the budget";
}

TEST(LoopTest, TheBudgetEndsIt) {
  FirstPolicy policy(1.0);
  Loop loop(make_pool(1, 9), linear(0), {.budget = 2}, policy);
  loop.tell(0, 0.5F);
  EXPECT_FALSE(ask(loop).stop) << "the last step that it allows";
  loop.tell(0, 0.5F);
  EXPECT_EQ(ask(loop).reason, "stop: the budget of 2 is spent");
}

TEST(LoopTest, CostsInRealUnits) {
  FirstPolicy policy(1.0);
  LoopOptions options{.budget = 10, .stopping = {}, .epoch_costs = {2.5, 1}};
  Loop loop(make_pool(2, 9), linear(0.0625), options, policy);
  loop.tell(1, 0.75F);
  loop.tell(0, 0.5F);
  EXPECT_EQ(loop.history().spent(), 3.5) << "as expected";
  loop.tell(0, 0.5F, 4.5);
  EXPECT_EQ(loop.utility(), 0.25);
  EXPECT_TRUE(ask(loop).stop) << "the policy insists on an epoch that does not fit";
  EXPECT_EQ(ask(loop).reason, "stop: 2 of the budget of 10 are left, too little for another epoch");
}

TEST(LoopTest, RoundedSumsDoNotTakeTheLastEpochAway) {
  FirstPolicy policy(1.0);
  LoopOptions options{.budget = 1, .stopping = {}, .epoch_costs = {0.1}};
  Loop loop(make_pool(1, 20), linear(0), options, policy);
  int steps = 0;
  for (; !ask(loop).stop; ++steps) loop.tell(0, 0.5F);
  EXPECT_EQ(steps, 10);
}

TEST(LoopTest, AFailingPolicyIsAnErrorEveryTime) {
  CmboPolicy policy([](const auto&, auto) { return Error("no model"); }, {.utility = linear(0)});
  Loop loop(make_pool(1, 2), linear(0), {}, policy);
  EXPECT_EQ(loop.ask().error().message(), "no model");
  EXPECT_EQ(loop.ask().error().message(), "no model");
}

// Runs with our own policy on fixed forecasts; what comes true is the first of the futures.
std::vector<Decision> run(const std::vector<Curves>& futures, double alpha,
                          const StoppingRule& stopping) {
  const LoopOptions options{.budget = 60, .stopping = stopping};
  CmboPolicy policy(fixed_futures(futures), {.utility = linear(alpha), .budget = {.total = 60}});
  Loop loop(make_pool(futures.size(), futures[0][0].size()), linear(alpha), options, policy);
  std::vector<Decision> decisions;
  for (;;) {
    decisions.push_back(ask(loop));
    if (decisions.back().stop) return decisions;
    const uint32_t n = decisions.back().choice.configuration;
    loop.tell(n, futures[n][0][loop.history().epochs(n)]);
  }
}

TEST(LoopTest, SaysWhatItExpects) {
  const std::vector<Curves> futures = {{{0.25F, 0.5F, 0.75F}, {0.25F, 0.5F, 0.25F}}};
  const std::vector<Decision> decisions = run(futures, 0.125, {});
  EXPECT_EQ(decisions[0].reason,
            "starting configuration 0 for 2 epochs is expected to raise the utility by 0.25 "
            "(chance 100 %)");
  EXPECT_EQ(decisions[2].reason,
            "going on with configuration 0 for 1 epoch is expected to raise the utility by 0.062 "
            "(chance 50 %)");
}

TEST(LoopTest, SaysWhyItDoesNotBelieveAForecast) {
  Choice choice;
  choice.probability = 0.2;
  const auto reason = [&] {
    return reason_to_stop({}, choice, {.regret = 0.25, .threshold = 0.125}, 0.0625);
  };
  const std::string chance =
      "stop: the utility is 0.062 below its best (regret 0.25 > 0.12), and the chance to improve "
      "is only 20 %";
  EXPECT_EQ(reason(), chance);
  choice.kept.all = 0.5;
  EXPECT_EQ(reason(),
            chance + ": forecasts say 40 %, but too little of what they promised came true");
  choice.probability = 0.0;
  EXPECT_EQ(reason(), std::string(chance).replace(chance.find("20 %"), 1, "")) << "0 % either way";
  const Look look{.epochs = 1, .price = 0.25, .foretold = 0.25, .gain = 0.125};
  EXPECT_EQ(
      reason_to_stop({}, choice, {.regret = 0.2, .threshold = 0.1, .look = look}, 0.4),
      "stop: no configuration is worth another look: 1 epoch costs 0.25, and what may come of "
      "that is worth 0.12: forecasts say 0.25, but too little of what they promised came "
      "true");
}

TEST(LoopTest, AHigherPriceNeverMakesARunLonger) {
  Random random(5);
  for (const StopBy by : {StopBy::kRegret, StopBy::kLook}) {
    size_t shortest = 100;
    for (int round = 0; round < 20; ++round) {
      const std::vector<Curves> futures = {draw_curves(16, 40, random)};
      size_t last = 100;
      for (const double alpha : {0.0, 0.0005, 0.002, 0.01, 0.05}) {
        const size_t steps = run(futures, alpha, {.by = by}).size();
        EXPECT_LE(steps, last) << alpha;
        last = steps;
      }
      shortest = std::min(shortest, last);
    }
    EXPECT_LT(shortest, 20U) << "some stop early";
  }
}

TEST(LoopTest, StopsWhenNoLookIsWorthItsPrice) {
  // In hand are 0.5, for nothing yet lost. One curve in two comes to 0.75 in the end, 12 epochs
  // later: at 1/64 a step a gain of 1/16, of which a look at 5 epochs is to be paid.
  std::vector<float> rises(13, 0.5F), stays(13, 0.5F);
  rises.back() = 0.75F;
  const std::vector<Curves> futures = {{rises, stays}};
  const StoppingRule look{.by = StopBy::kLook}, paper{.by = StopBy::kRegret};
  const std::vector<Decision> decisions = run(futures, 0.015625, look);
  EXPECT_EQ(decisions.size(), 2U);
  EXPECT_EQ(
      decisions.back().reason,
      "stop: no configuration is worth another look: 5 epochs cost 0.078, and what may come of "
      "that is worth 0.07");
  EXPECT_GT(run(futures, 0.015625, paper).size(), 2U) << "an even chance of a gain";
  EXPECT_GT(run(futures, 0.0078125, look).size(), 2U) << "half the price";
}

TEST(LoopTest, DecisionsAreAFunctionOfTheHistory) {
  Random random(6);
  std::vector<Curves> futures;
  for (int n = 0; n < 5; ++n) futures.push_back(draw_curves(16, 12, random));
  const std::vector<Decision> once = run(futures, 0.001, {}), again = run(futures, 0.001, {});
  ASSERT_EQ(once.size(), again.size());
  ASSERT_GT(once.size(), 3U);
  for (size_t i = 0; i < once.size(); ++i) {
    EXPECT_EQ(once[i].reason, again[i].reason);
    EXPECT_EQ(once[i].choice.probability, again[i].choice.probability);
  }
}

TEST(LoopTest, WhatIsWithheldIsNotChosenAndAChargeIsSpent) {
  FirstPolicy policy;
  Loop loop(make_pool(2, 3), linear(0.0), {.budget = 4}, policy);
  EXPECT_EQ(ask(loop).choice.configuration, 0U);
  loop.withhold(0);
  EXPECT_EQ(ask(loop).choice.configuration, 1U);
  loop.charge(3.5);
  EXPECT_TRUE(ask(loop).stop);
  EXPECT_THAT(ask(loop).reason, HasSubstr("0.5 of the budget"));
}

TEST(LoopTest, TheCostOfTheWorstMayBeToldApartFromTheBudget) {
  FirstPolicy policy(0.5);
  LoopOptions options{.budget = std::numeric_limits<double>::infinity()};
  options.worst_cost = 8;
  Loop loop(make_pool(1, 8), linear(0.0625), options, policy);
  loop.tell(0, 0.75F);
  loop.tell(0, 0.5F);
  EXPECT_NEAR(ask(loop).evidence.regret, 1.0 / 7.0, 1e-12) << "as with a budget of 8";
}

}  // namespace
}  // namespace cmbo::decide
