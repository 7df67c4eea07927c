// SPDX-License-Identifier: Apache-2.0
#include "decide/cmbo_policy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "decide/decide_testing.h"

namespace cmbo::decide {
namespace {

using testing::ElementsAre;

CmboOptions options(double alpha, Budget budget = {}) {
  return {.utility = Utility::linear(alpha).value(), .budget = std::move(budget)};
}

Choice choose(const std::vector<Curves>& futures, const CmboOptions& options,
              const std::vector<uint32_t>& trained = {}) {
  History history(make_pool(futures.size(), futures[0][0].size()));
  for (const uint32_t n : trained) history.add(n, 0.5F);
  CmboPolicy policy(fixed_futures(futures), options);
  return policy.choose(history).value();
}

std::vector<uint32_t> configurations(const std::vector<Prospect>& prospects) {
  std::vector<uint32_t> all;
  for (const Prospect& prospect : prospects) all.push_back(prospect.configuration);
  return all;
}

TEST(CmboPolicyTest, TheFirstStepNeedsNoObservation) {
  const Choice choice = choose({{{0.25F, 0.5F}}, {{0.5F, 0.75F}}}, options(0.125));
  EXPECT_EQ(choice.configuration, 1U);
  EXPECT_EQ(choice.prospect->acquisition, 0.5) << "U_prev is 0";
  EXPECT_EQ(choice.prospect->horizon, 1U);
  EXPECT_EQ(choice.probability, 1.0);
  EXPECT_THAT(configurations(choice.runners_up), ElementsAre(0));
}

TEST(CmboPolicyTest, TellsTheMedianOfTheLastEpoch) {
  const Choice choice = choose(
      {{{0.25F, 0.5F}, {0.25F, 0.6F}, {0.25F, 0.9F}}, {{0.1F, 0.1F}, {0.1F, 0.3F}, {0.1F, 0.2F}}},
      options(0.0));
  EXPECT_EQ(choice.prospect->final_median, 0.6F);
  EXPECT_EQ(choice.runners_up[0].final_median, 0.2F);
}

TEST(CmboPolicyTest, TellsOfTheLookThatIsWorthMost) {
  // By A both promise 3/8; but 0 has an even chance of a rise by 1, 1 is certain of one by 5/8.
  CmboOptions plain = options(0.125);
  plain.depth = 0.0;
  plain.hindsight = false;
  const Choice choice = choose(
      {{{0.5F, 0.5F, 0.5F}, {0.5F, 0.5F, 1.5F}}, {{0.5F, 0.5F, 1.125F}, {0.5F, 0.5F, 1.125F}}},
      plain, {0, 1});
  EXPECT_EQ(choice.prospect->acquisition, 0.375);
  EXPECT_EQ(choice.runners_up[0].acquisition, 0.375);
  EXPECT_EQ(choice.look->epochs, 2U) << "all that is left";
  EXPECT_EQ(choice.look->price, 0.25);
  EXPECT_EQ(choice.look->gain, 0.625);
}

TEST(CmboPolicyTest, AmongEqualsTheSmallestNumberWins) {
  const Curves same = {{0.5F, 0.75F}};
  const Choice choice = choose({{{0.0F, 0.25F}}, same, same, same}, options(0.125));
  EXPECT_EQ(choice.configuration, 1U);
  EXPECT_THAT(configurations(choice.runners_up), ElementsAre(2, 3, 0));
  const Curves hopeless = {{0.0F, 0.0F}};
  EXPECT_EQ(choose({hopeless, hopeless}, options(0.125)).configuration, 0U);
}

TEST(CmboPolicyTest, ASingleCandidateIsChosenWhateverItPromises) {
  const Choice choice = choose({{{0.9F, 0.9F}}, {{0.1F, 0.1F}}}, options(0.125), {0, 0});
  EXPECT_EQ(choice.configuration, 1U);
  EXPECT_EQ(choice.prospect->acquisition, 0.0);
  EXPECT_EQ(choice.probability, 0.0);
  EXPECT_TRUE(choice.runners_up.empty());
}

TEST(CmboPolicyTest, ADominatedConfigurationChangesNothing) {
  Random random(4);
  std::vector<Curves> futures;
  for (int n = 0; n < 7; ++n) futures.push_back(draw_curves(16, 10, random));
  const Choice before = choose(futures, options(0.004), {3, 3, 5});
  Curves dominated = futures[before.configuration];
  for (std::vector<float>& curve : dominated) {
    for (float& y : curve) y *= 0.5F;
  }
  futures.push_back(dominated);
  const Choice after = choose(futures, options(0.004), {3, 3, 5});
  EXPECT_EQ(after.configuration, before.configuration);
  EXPECT_EQ(after.prospect->acquisition, before.prospect->acquisition);
  EXPECT_EQ(after.probability, before.probability);
  EXPECT_EQ(before.runners_up.size(), 5U);
}

TEST(CmboPolicyTest, WhatTheBudgetDoesNotAllowIsNotConsidered) {
  const std::vector<Curves> futures = {{{0.9F, 0.9F}}, {{0.6F, 0.6F}}};
  EXPECT_EQ(choose(futures, options(0, {3, {2, 1}}), {1}).configuration, 0U);
  EXPECT_EQ(choose(futures, options(0, {2.5, {2, 1}}), {1}).configuration, 1U);
  History history(make_pool(2, 2));
  CmboPolicy policy(fixed_futures(futures), options(0, {1, {2, 2}}));
  EXPECT_THAT(policy.choose(history).error().message(), testing::HasSubstr("budget"));
}

TEST(CmboPolicyTest, ExpectedImprovementIsBlindToCost) {
  // The first is soon good, the second better at the very end.
  const std::vector<Curves> futures = {{{0.7F, 0.7F, 0.7F}}, {{0.1F, 0.1F, 0.8F}}};
  CmboOptions blind = options(0.1);
  EXPECT_EQ(choose(futures, blind).configuration, 0U);
  blind.acquisition = Acquisition::kExpectedImprovement;
  const Choice choice = choose(futures, blind);
  EXPECT_EQ(choice.configuration, 1U);
  EXPECT_NEAR(choice.prospect->acquisition, 0.5, 1e-6) << "of the utility all the same";
}

TEST(CmboPolicyTest, CommitsToAShareOfTheBestHorizon) {
  const std::vector<Curves> futures = {{{0.1F, 0.2F, 0.3F, 0.4F, 0.4F}}};
  CmboOptions committed = options(0.0);
  EXPECT_EQ(choose(futures, committed).epochs, 1U);
  committed.commitment = 0.5;
  EXPECT_EQ(choose(futures, committed).epochs, 2U) << "half of four";
  committed.commitment = 0.3;
  EXPECT_EQ(choose(futures, committed).epochs, 2U) << "rounded up";
  committed.commitment = 1.0;
  EXPECT_EQ(choose(futures, committed).epochs, 4U);
}

TEST(CmboPolicyTest, EachTellsItsOwnChance) {
  // One of the two futures of what has begun is better than what is known.
  const std::vector<Curves> futures = {{{0.5F, 0.5F}, {0.5F, 0.6F}}, {{0.9F, 0.9F}, {0.9F, 0.9F}}};
  CmboOptions guarded = options(0.0);
  guarded.patience = 1;
  const Choice choice = choose(futures, guarded, {0});
  ASSERT_TRUE(choice.on_guard);
  EXPECT_EQ(choice.prospect->chance, 0.5);
  EXPECT_EQ(choice.runners_up[0].chance, 1.0);
  EXPECT_EQ(choice.probability, 1.0) << "of the most promising one";
}

TEST(CmboPolicyTest, FreshOnesPromiseWhatEarlierOnesHaveKept) {
  // Fresh ones promise 0.9; what has begun is sure to end 0.15 above its first value.
  const Extrapolator hopeful = [](const curves::CurveTable& history,
                                  std::span<const uint32_t> asked) -> Result<forecast::Samples> {
    forecast::Samples samples = make_samples(history.horizon);
    for (const uint32_t n : asked) {
      const auto seen = history.curve(n);
      const float end = seen.empty() ? 0.9F : seen.front() + 0.15F;
      add_future(samples, n, {std::vector<float>(history.horizon - seen.size(), end)});
    }
    return samples;
  };
  History history(make_pool(4, 20));
  history.add(0, 0.6F);
  for (int step = 1; step < 10; ++step) history.add(0, 0.75F);
  history.add(1, 0.65F);
  CmboOptions plain = options(0.0);
  plain.hindsight = false;
  const Choice trusting = CmboPolicy(hopeful, plain).choose(history).value();
  EXPECT_EQ(trusting.configuration, 2U);
  EXPECT_EQ(trusting.kept.fresh, 1.0);
  EXPECT_EQ(trusting.kept.all, 1.0);
  EXPECT_NEAR(trusting.prospect->acquisition, 0.15, 1e-6);
  // 0 kept 0.75 of 0.9, 1 kept 0.05 of 0.15.
  const double trust = (3 + 0.75 / 0.9 + 0.05 / 0.15) / 5;
  const Choice wiser = CmboPolicy(hopeful, options(0.0)).choose(history).value();
  EXPECT_NEAR(wiser.kept.fresh, trust, 1e-6);
  const double all = wiser.kept.all;
  EXPECT_EQ(all, 0.25) << "the eleventh step brought nothing";
  EXPECT_EQ(wiser.probability, all) << "a certain gain, were it not for what became of others";
  EXPECT_EQ(wiser.prospect->chance, all);
  EXPECT_EQ(wiser.configuration, 2U) << "0.12 is still more than 0.05";
  EXPECT_NEAR(wiser.prospect->acquisition, 0.15 * trust * all, 1e-6);
  EXPECT_NEAR(wiser.runners_up[1].acquisition, 0.05 * all, 1e-6) << "of what has begun";
  EXPECT_NEAR(wiser.look->foretold, 0.15, 1e-6);
  EXPECT_NEAR(wiser.look->gain, 0.15 * trust * all, 1e-6);
  CmboOptions blind = options(0.0);
  blind.acquisition = Acquisition::kExpectedImprovement;
  EXPECT_EQ(CmboPolicy(hopeful, blind).choose(history).value().kept.fresh, wiser.kept.fresh);
}

TEST(CmboPolicyTest, AfterSomeFreshOnesInARowOneThatHasBegunIsNext) {
  // The higher the number, the less is promised; 5 never gets better than what is known.
  const std::vector<Curves> futures = {{{0.9F, 0.9F}},   {{0.8F, 0.8F}}, {{0.7F, 0.7F}},
                                       {{0.65F, 0.65F}}, {{0.6F, 0.6F}}, {{0.5F, 0.5F}}};
  CmboOptions patient = options(0.0);
  patient.depth = 0.0;
  const Choice guarded = choose(futures, patient, {4, 3, 2});
  EXPECT_EQ(guarded.configuration, 2U);
  EXPECT_TRUE(guarded.on_guard);
  EXPECT_NEAR(guarded.prospect->acquisition, 0.2 * guarded.kept.all, 1e-6);
  EXPECT_THAT(configurations(guarded.runners_up), ElementsAre(0, 1, 3, 4, 5));
  EXPECT_FALSE(choose(futures, patient, {4, 3}).on_guard) << "two are not enough";
  EXPECT_EQ(choose(futures, patient, {4, 4, 3, 2}).configuration, 0U)
      << "one of the three last steps was a second epoch";
  patient.patience = 0;
  EXPECT_EQ(choose(futures, patient, {4, 3, 2}).configuration, 0U);
  patient.patience = 1;
  EXPECT_EQ(choose(futures, patient, {5}).configuration, 0U) << "5 promises nothing";
}

TEST(CmboPolicyTest, OneIsFollowedAsFarAsTheRootOfAllSteps) {
  const auto sure = [](float value) { return Curves{std::vector<float>(6, value)}; };
  // By these 0 promises 0.4, the others 0.3, 0.2 and 0.1.
  const std::vector<Curves> futures = {sure(0.9F), sure(0.8F), sure(0.7F), sure(0.6F)};
  CmboOptions deep = options(0.0);
  deep.patience = 0;
  EXPECT_FALSE(choose(futures, deep, {}).on_guard) << "nothing has begun";
  EXPECT_EQ(choose(futures, deep, {3}).configuration, 0U) << "1 epoch = sqrt(1)";
  EXPECT_EQ(choose(futures, deep, {3, 2}).configuration, 2U) << "1 < sqrt(2), and 3 promises less";
  EXPECT_EQ(choose(futures, deep, {2, 1, 1}).configuration, 0U) << "2 > sqrt(3)";
  const Choice further = choose(futures, deep, {2, 2, 1, 3, 3});
  EXPECT_EQ(further.configuration, 2U) << "2 < sqrt(5): 2 is further than 1, 3 promises too little";
  EXPECT_TRUE(further.on_guard);
  deep.depth = 0.5;
  EXPECT_EQ(choose(futures, deep, {2, 2, 1, 3, 3}).configuration, 0U);
}

TEST(CmboPolicyTest, WhatIsFullyTrainedIsDeepEnough) {
  const std::vector<Curves> futures = {{{0.9F, 0.9F}}, {{0.8F, 0.8F}}, {{0.7F, 0.7F}}};
  CmboOptions deep = options(0.0);
  deep.patience = 0;
  deep.depth = 100.0;
  EXPECT_EQ(choose(futures, deep, {2, 1, 2}).configuration, 0U);
}

TEST(CmboPolicyTest, TheMostPromisingOneNeedsNoGuard) {
  const Choice choice =
      choose({{{0.9F, 0.9F}}, {{0.8F, 0.8F}}, {{0.7F, 0.7F}}}, options(0.0), {0, 1, 2});
  EXPECT_EQ(choice.configuration, 0U);
  EXPECT_FALSE(choice.on_guard);
}

TEST(CmboPolicyTest, AFailingExtrapolatorIsAnError) {
  CmboPolicy policy([](const auto&, auto) { return Error("no model"); }, options(0));
  EXPECT_EQ(policy.choose(History(make_pool(1, 2))).error().message(), "no model");
}

}  // namespace
}  // namespace cmbo::decide
