// SPDX-License-Identifier: Apache-2.0
#include "decide/hindsight.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "decide/decide_testing.h"

namespace cmbo::decide {
namespace {

constexpr size_t kHorizon = 4;

// One certain future of each configuration: constant at `fresh[n]` before its first epoch, and at
// its last value plus `further` after that. Counts the questions.
struct Forecasts {
  std::vector<float> fresh;
  float further = 0.0F;
  size_t questions = 0;

  Extrapolator extrapolator() {
    return [this](const curves::CurveTable& history, std::span<const uint32_t> asked) {
      ++questions;
      forecast::Samples samples = make_samples(history.horizon);
      for (const uint32_t n : asked) {
        const auto seen = history.curve(n);
        const float level = seen.empty() ? fresh[n] : seen.back() + further;
        add_future(samples, n, {std::vector<float>(history.horizon - seen.size(), level)});
      }
      return Result<forecast::Samples>(samples);
    };
  }
};

Utility free_of_cost() {
  return Utility::linear(0.0).value();
}

History history_of(size_t configurations, const std::vector<std::pair<uint32_t, float>>& steps) {
  History history(make_pool(configurations, kHorizon));
  for (const auto& [n, y] : steps) history.add(n, y);
  return history;
}

// That so much is promised now, by one that has begun.
std::vector<Prospect> promise(const History& history, double gain = 0.1) {
  if (history.steps().empty()) return {};
  Prospect prospect;
  prospect.configuration = history.steps().back().configuration;
  prospect.acquisition = gain;
  return {prospect};
}

Kept kept(Extrapolator extrapolator, const History& history, double promised = 0.1) {
  return Hindsight(std::move(extrapolator), free_of_cost(), {})
      .kept(history, promise(history, promised))
      .value();
}

// Kept by fresh configurations.
double trust(Forecasts& forecasts, const History& history,
             const Utility& utility = free_of_cost()) {
  return Hindsight(forecasts.extrapolator(), utility, {})
      .kept(history, promise(history))
      .value()
      .fresh;
}

double squared(double share) {
  return share * share;
}

TEST(HindsightTest, WhoHasStartedNothingTrusts) {
  Forecasts forecasts{.fresh = {0.5F, 0.5F}};
  EXPECT_EQ(trust(forecasts, history_of(2, {})), 1.0);
  EXPECT_EQ(kept(forecasts.extrapolator(), history_of(2, {})).all, 1.0);
  EXPECT_EQ(forecasts.questions, 0U);
}

TEST(HindsightTest, WhatIsLeftOfAPromise) {
  // 0 keeps 0.5 of 0.5; 1 promises 0.25 above the best and comes to a fifth of that.
  Forecasts forecasts{.fresh = {0.5F, 0.75F}};
  EXPECT_NEAR(trust(forecasts, history_of(2, {{0, 0.5F}, {1, 0.55F}})), (3 + 1 + 0.2) / 5, 1e-6);
  EXPECT_NEAR(trust(forecasts, history_of(2, {{0, 0.5F}, {1, 0.25F}})), (3 + 1 + 0) / 5.0, 1e-6);
}

TEST(HindsightTest, WhatIsStillHopedForIsLeft) {
  // After its first epoch, 1 is below the best and still promises 0.05 above it.
  Forecasts forecasts{.fresh = {0.5F, 0.75F}, .further = 0.1F};
  const History history = history_of(2, {{0, 0.4F}, {0, 0.5F}, {1, 0.45F}});
  EXPECT_NEAR(trust(forecasts, history), (3 + 1 + 0.05 / 0.25) / 5, 1e-6);
}

TEST(HindsightTest, EpochsArePaidFor) {
  // 1 promises 0.75 - 0.5 less the price of its epoch; 0.65 less the same price is found.
  Forecasts forecasts{.fresh = {0.5F, 0.75F}};
  const double kept = (0.15 - 0.05) / (0.25 - 0.05);
  EXPECT_NEAR(
      trust(forecasts, history_of(2, {{0, 0.5F}, {1, 0.65F}}), Utility::linear(0.05).value()),
      (3 + 1 + kept) / 5, 1e-6);
}

TEST(HindsightTest, LuckIsLimitedAndTrustIsWholeAtMost) {
  Forecasts forecasts{.fresh = {0.5F, 0.55F, 0.9F, 0.9F, 0.9F}};
  // 1 finds six times what it promised, which counts as twice; the others then find nothing.
  EXPECT_EQ(trust(forecasts, history_of(5, {{0, 0.5F}, {1, 0.8F}})), 1.0);
  const History history = history_of(5, {{0, 0.5F}, {1, 0.8F}, {2, 0.1F}, {3, 0.1F}, {4, 0.1F}});
  EXPECT_NEAR(trust(forecasts, history), (3 + 1 + 2) / 8.0, 1e-6);
  EXPECT_NEAR(trust(forecasts, history_of(3, {{1, 0.55F}, {0, 0.5F}, {2, 0.1F}})), 4.0 / 5, 1e-6)
      << "0 promised nothing and does not count";
}

TEST(HindsightTest, OldStartsAreForgotten) {
  Forecasts forecasts{.fresh = std::vector<float>(25, 0.9F)};
  std::vector<std::pair<uint32_t, float>> steps;
  for (uint32_t n = 0; n < 25; ++n) steps.emplace_back(n, 0.1F);
  EXPECT_NEAR(trust(forecasts, history_of(25, steps)), 3.0 / 23, 1e-6);
  EXPECT_EQ(forecasts.questions, 21U) << "before the first of twenty, and after each of them";
}

TEST(HindsightTest, OnlyWhatIsNewIsAsked) {
  Forecasts forecasts{.fresh = std::vector<float>(8, 0.9F), .further = 0.02F};
  Hindsight followed(forecasts.extrapolator(), free_of_cost(), {});
  History history = history_of(8, {});
  Random random(3);
  for (uint32_t n = 0; n < 8; ++n) {
    history.add(n, static_cast<float>(random.uniform()));
    const size_t before = forecasts.questions;
    const Kept now = followed.kept(history, promise(history)).value();
    EXPECT_EQ(forecasts.questions - before, 2U);
    const Kept anew = kept(forecasts.extrapolator(), history);
    EXPECT_EQ(now.fresh, anew.fresh) << "of what was remembered";
    EXPECT_EQ(now.all, anew.all);
  }
  for (const size_t questions : {0U, 0U, 1U}) {  // the eleventh step is judged
    history.add(5, 0.5F);
    const size_t before = forecasts.questions;
    const Kept now = followed.kept(history, promise(history)).value();
    EXPECT_EQ(forecasts.questions - before, questions);
    EXPECT_EQ(now.all, kept(forecasts.extrapolator(), history).all);
  }
  const History other = history_of(8, {{3, 0.5F}, {2, 0.1F}});
  EXPECT_EQ(followed.kept(other, promise(other)).value().fresh, trust(forecasts, other))
      << "of another history";
}

TEST(HindsightTest, AnEpochMayBeAllThereIs) {
  Forecasts forecasts{.fresh = {0.8F}};
  History history(make_pool(1, 1));
  history.add(0, 0.2F);
  EXPECT_NEAR(trust(forecasts, history), (3 + 0.25) / 4, 1e-6);
}

TEST(HindsightTest, AnErrorIsTheExtrapolators) {
  Hindsight hindsight([](const auto&, auto) { return Error("no model"); }, free_of_cost(), {});
  EXPECT_EQ(hindsight.kept(history_of(1, {{0, 0.5F}}), {}).error().message(), "no model");
}

// Ten steps without promises, so that the next one is judged, and those that follow.
History after_ten(size_t horizon, std::vector<std::pair<uint32_t, float>> steps) {
  History history(make_pool(3, horizon));
  for (int step = 0; step < 10; ++step) history.add(0, 0.5F);
  for (const auto& [n, y] : steps) history.add(n, y);
  return history;
}

TEST(HindsightTest, EveryTenthStepIsHeldToItsPromise) {
  // Another epoch of 1 promises a rise by 0.1 at once, its first one nothing.
  Forecasts forecasts{.fresh = {0.5F, 0.4F}, .further = 0.1F};
  const auto all = [&](std::vector<float> curve) {
    History history(make_pool(2, 100));
    for (int step = 0; step < 10; ++step) history.add(1, 0.5F);
    for (const float y : curve) history.add(1, y);
    return kept(forecasts.extrapolator(), history).all;
  };
  EXPECT_EQ(all({}), 1.0) << "nothing was in hand before the first step";
  EXPECT_NEAR(all({0.4F}), squared(1.0 / 2), 1e-6);
  EXPECT_NEAR(all({0.55F}), squared(1.5 / 2), 1e-6);
  EXPECT_EQ(all({0.9F}), 1.0) << "luck is no more than the whole";
  EXPECT_EQ(all(std::vector(10, 0.9F)), 1.0) << "nine steps that are not judged";
  EXPECT_NEAR(all(std::vector(11, 0.9F)), squared(2.0 / 3), 1e-6) << "and makes up for no other";
}

TEST(HindsightTest, PromisesFallDueStepByStep) {
  // After ten epochs 0 is sure to rise by 0.4 within three more; the others never will.
  std::vector<float> rising(13, 0.5F), flat(13, 0.5F);
  rising.back() = 0.9F;
  const Extrapolator certain = fixed_futures({{rising}, {flat}, {flat}});
  const auto all = [&](std::vector<std::pair<uint32_t, float>> steps) {
    return kept(certain, after_ten(13, std::move(steps)), 0.4).all;
  };
  EXPECT_NEAR(all({{0, 0.5F}}), squared(1 / (1 + 1.0 / 3)), 1e-6);
  EXPECT_NEAR(all({{0, 0.5F}, {1, 0.5F}}), squared(1 / (1 + 2.0 / 3)), 1e-6);
  EXPECT_EQ(all({{0, 0.5F}, {1, 0.9F}}), 1.0) << "whoever brings it";
  EXPECT_EQ(all({{2, 0.5F}, {1, 0.5F}}), 1.0) << "2 promised nothing";
}

TEST(HindsightTest, FreshOnesAreHeldToWhatIsBelievedOfThem) {
  Forecasts forecasts{.fresh = {0.5F, 0.9F}};
  const Kept found = kept(forecasts.extrapolator(), after_ten(13, {{1, 0.6F}}), 0.4);
  const double fresh = (3 + 1 + 0.25) / 5;
  EXPECT_NEAR(found.fresh, fresh, 1e-6);
  EXPECT_NEAR(found.all, squared((0.4 + 0.1) / (0.4 + 0.4 * fresh)), 1e-6);
  EXPECT_EQ(found.of(true), found.fresh * found.all);
  EXPECT_EQ(found.of(false), found.all);
}

TEST(HindsightTest, NoMoreCountsThanIsPromisedNow) {
  // Of 0.4 within three epochs 0.1 has come, after one of them.
  std::vector<float> rising(13, 0.5F), flat(13, 0.5F);
  rising.back() = 0.9F;
  const Extrapolator certain = fixed_futures({{rising}, {flat}, {flat}});
  const History history = after_ten(13, {{0, 0.6F}});
  EXPECT_EQ(kept(certain, history, 0.1).all, 1.0) << "a gain as small as this came true";
  EXPECT_NEAR(kept(certain, after_ten(13, {{0, 0.51F}}), 0.1).all,
              squared((0.1 + 0.01) / (0.1 + 0.1 / 3)), 1e-6);
  EXPECT_EQ(kept(certain, after_ten(13, {{0, 0.5F}}), 0.0).all, 1.0) << "nothing is promised";
  // What a fresh one promises now is discounted first.
  Forecasts forecasts{.fresh = {0.5F, 0.9F, 0.9F}};
  Hindsight hindsight(forecasts.extrapolator(), free_of_cost(), {});
  Prospect of_fresh;
  of_fresh.configuration = 2;
  of_fresh.acquisition = 0.3;
  const History started = after_ten(13, {{1, 0.6F}});
  const Kept found = hindsight.kept(started, std::vector{of_fresh}).value();
  const double promised = 0.3 * found.fresh;
  EXPECT_LT(found.fresh, 1.0);
  EXPECT_NEAR(found.all, squared((promised + 0.1) / (promised + promised)), 1e-6);
}

TEST(HindsightTest, SomethingIsAlwaysBelieved) {
  Forecasts forecasts{.fresh = {0.5F}, .further = 0.1F};
  History history(make_pool(1, 200));
  for (size_t step = 0; step < 150; ++step) history.add(0, 0.5F);
  EXPECT_EQ(kept(forecasts.extrapolator(), history).all, 0.05) << "after fourteen broken promises";
}

TEST(HindsightTest, OldPromisesAreForgotten) {
  Forecasts forecasts{.fresh = {0.5F, 0.9F}};
  History history = after_ten(200, {{1, 0.6F}});
  for (int step = 11; step < 160; ++step) history.add(0, 0.5F);
  EXPECT_LT(kept(forecasts.extrapolator(), history, 0.4).all, 1.0);
  history.add(0, 0.5F);
  EXPECT_EQ(kept(forecasts.extrapolator(), history, 0.4).all, 1.0);
}

TEST(HindsightTest, OfLongCurvesSomeStepsAreEnough) {
  Forecasts forecasts{.fresh = {0.5F}, .further = 0.1F};
  History history(make_pool(1, 100));
  for (size_t step = 0; step < 59; ++step) history.add(0, 0.5F);
  EXPECT_NEAR(kept(forecasts.extrapolator(), history, 0.4).all, squared(0.4 / (0.4 + 5 * 0.1)),
              1e-6);
  EXPECT_EQ(forecasts.questions, 2U + 5U) << "the start, and every tenth step";
}

}  // namespace
}  // namespace cmbo::decide
