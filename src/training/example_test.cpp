// SPDX-License-Identifier: Apache-2.0
#include "training/example.h"

#include <gtest/gtest.h>
#include <numeric>

#include "curves/prior.h"

namespace cmbo::training {
namespace {

curves::CurveTable table() {
  Random random(4);
  return curves::sample_prior({.configurations = 80, .horizons = {30}}, random);
}

TEST(ExampleTest, AsksForTheFutureOnly) {
  const curves::CurveTable full = table();
  for (uint64_t seed = 0; seed < 200; ++seed) {
    Random random(seed);
    const Example example = draw_example(full, {.asked = 20, .epochs_each = 4}, random);
    const network::Question& q = example.question;
    ASSERT_EQ(q.asked.size(), 20U);
    ASSERT_EQ(q.epochs.size(), 80U);
    for (size_t i = 0; i < q.epochs.size(); ++i) {
      const uint32_t row = q.asked[i / 4];
      ASSERT_GT(q.epochs[i], q.observed.lengths[row]);
      ASSERT_LE(q.epochs[i], 30U);
      ASSERT_EQ(example.targets.values[i], full.y[row * 30 + q.epochs[i] - 1]);
    }
    for (const uint32_t row : q.context) ASSERT_GT(q.observed.lengths[row], 0U);
  }
}

TEST(ExampleTest, StatesCoverTheWholeRange) {
  const curves::CurveTable full = table();
  size_t empty = 0, few_curves = 0, many_curves = 0, most = 0;
  for (uint64_t seed = 0; seed < 500; ++seed) {
    Random random(seed);
    const network::Question q = draw_example(full, {}, random).question;
    const auto& lengths = q.observed.lengths;
    const size_t total = std::accumulate(lengths.begin(), lengths.end(), size_t{0});
    most = std::max(most, total);
    empty += total == 0 ? 1 : 0;
    few_curves += q.context.size() < 10 ? 1 : 0;
    many_curves += q.context.size() > 40 ? 1 : 0;
  }
  EXPECT_GT(empty, 5U);
  EXPECT_LT(empty, 90U);
  EXPECT_GT(few_curves, 100U);
  EXPECT_GT(many_curves, 50U);
  EXPECT_GT(most, 250U);
  EXPECT_LT(most, 400U);
}

TEST(ExampleTest, DrawnStatesHaveAboutTheTotal) {
  const curves::CurveTable full = table();
  for (const size_t total : {0U, 1U, 10U, 300U}) {
    double sum = 0;
    for (uint64_t seed = 0; seed < 100; ++seed) {
      Random random(seed);
      const auto lengths = draw_state(full, total, random);
      sum += std::accumulate(lengths.begin(), lengths.end(), 0.0);
    }
    EXPECT_NEAR(sum / 100, static_cast<double>(total), 0.25 * static_cast<double>(total) + 0.01);
  }
}

TEST(ExampleTest, HowLongACurveIsObservedSaysNothingOfItsFuture) {
  const curves::CurveTable full = table();
  for (uint64_t seed = 0; seed < 200; ++seed) {
    Random random(seed), again(seed);
    const auto lengths = draw_state(full, 200, random);
    curves::CurveTable other = full;
    for (size_t row = 0; row < full.size(); ++row) {
      const auto curve = std::span(other.y).subspan(row * full.horizon, full.horizon);
      for (float& y : curve.subspan(lengths[row])) y = 1.0F - y;
    }
    ASSERT_EQ(draw_state(other, 200, again), lengths);
  }
}

TEST(ExampleTest, WhatLooksBetterIsObservedForLonger) {
  curves::CurveTable flat = table();
  for (size_t row = 0; row < flat.size(); ++row) {
    const auto curve = std::span(flat.y).subspan(row * flat.horizon, flat.horizon);
    std::fill(curve.begin(), curve.end(), row % 2 == 0 ? 0.9F : 0.1F);
  }
  size_t good = 0, bad = 0;  // epochs
  for (uint64_t seed = 0; seed < 200; ++seed) {
    Random random(seed);
    const auto lengths = draw_state(flat, 60, random);
    for (size_t row = 0; row < flat.size(); ++row) (row % 2 == 0 ? good : bad) += lengths[row];
  }
  EXPECT_GT(good, bad + bad / 4);
}

TEST(ExampleTest, SingleCurveExamplesHaveNoContext) {
  Random random(1);
  const Example example = draw_single_curve_example(table(), {.asked = 10}, random);
  EXPECT_TRUE(example.question.context.empty());
  EXPECT_EQ(example.question.asked.size(), 10U);
}

TEST(ExampleTest, WhoPromisesMostIsTriedAndAsked) {
  const curves::CurveTable full = table();
  std::vector<float> promises(full.size(), 0.1F);
  for (size_t row = 0; row < 20; ++row) promises[row] = 0.9F;
  const auto chosen_share = [&](double searched, bool context) {
    size_t promising = 0, all = 0;
    for (uint64_t seed = 0; seed < 200; ++seed) {
      Random random(seed);
      const Example example =
          draw_example(full, {.max_observations = 30, .asked = 12, .searched_share = searched},
                       random, promises);
      for (const uint32_t row : context ? example.question.context : example.question.asked) {
        promising += row < 20 ? 1 : 0;
        ++all;
      }
    }
    return static_cast<double>(promising) / static_cast<double>(all);
  };
  for (const bool context : {true, false}) {
    EXPECT_GT(chosen_share(1.0, context), 0.85);
    EXPECT_NEAR(chosen_share(0.0, context), 0.25, 0.05);
  }
}

}  // namespace
}  // namespace cmbo::training
