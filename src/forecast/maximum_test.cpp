// SPDX-License-Identifier: Apache-2.0
#include "forecast/maximum.h"

#include <cmath>
#include <gtest/gtest.h>

#include "base/random.h"
#include "network/copula.h"

namespace cmbo::forecast {
namespace {

constexpr size_t kEpochs = 12, kCurves = 64, kConfigurations = 2000;
constexpr float kDiverged = 1e-3F;

// Curves whose values at every epoch are uniform and go together by the copula.
curves::CurveTable draw_truth(const network::Copula& copula) {
  curves::CurveTable table;
  table.dimensions = 1;
  table.horizon = kEpochs;
  const network::CurveRanks ranks(copula, kEpochs, kConfigurations, 77);
  for (size_t n = 0; n < kConfigurations; ++n) {
    const auto row = table.add(kEpochs);
    for (size_t t = 0; t < kEpochs; ++t) {
      row.y[t] = (static_cast<float>(ranks.at(t + 1)[n]) + 0.5F) / kConfigurations;
    }
  }
  return table;
}

// The same distribution at every epoch, put together by the copula.
Samples draw_samples(const network::Copula& copula) {
  Samples samples;
  samples.horizon = kEpochs;
  samples.count = kCurves;
  for (uint32_t n = 0; n < kConfigurations; ++n) {
    const network::CurveRanks ranks(copula, kEpochs, kCurves, 1000 + n);
    samples.asked.push_back(n);
    samples.lengths.push_back(0);
    for (size_t t = 1; t <= kEpochs; ++t) {
      for (const uint16_t place : ranks.at(t)) {
        samples.values.push_back((static_cast<float>(place) + 0.5F) / kCurves);
      }
    }
  }
  return samples;
}

TEST(MaximumTest, TheRightCopulaIsCalibratedAndOthersAreNot) {
  const network::Copula truth{.noise = 0.3, .length = 2.0};
  const curves::CurveTable table = draw_truth(truth);
  const MaximumScores right = score_maximum(draw_samples(truth), table, kEpochs, kDiverged);
  const MaximumScores comonotone = score_maximum(draw_samples({}), table, kEpochs, kDiverged);
  EXPECT_EQ(right.count, kConfigurations);
  EXPECT_NEAR(right.coverage90, 0.9, 0.03);
  EXPECT_NEAR(right.coverage50, 0.5, 0.04);
  EXPECT_LT(comonotone.coverage50, 0.4);  // expects too little: it has one chance, not twelve
  EXPECT_LT(right.crps, comonotone.crps);
}

TEST(MaximumTest, OneEpochNeedsNoCopula) {
  const curves::CurveTable table = draw_truth({.noise = 0.3, .length = 2.0});
  const MaximumScores scores = score_maximum(draw_samples({}), table, 1, kDiverged);
  EXPECT_NEAR(scores.coverage90, 0.9, 0.03);
}

TEST(MaximumTest, CrpsOfOneSampleIsItsDistance) {
  curves::CurveTable table;
  table.dimensions = 1;
  table.horizon = 2;
  const auto row = table.add(2);
  row.y[0] = 0.25F;
  row.y[1] = 0.75F;
  Samples samples{.horizon = 2, .count = 1, .asked = {0}, .lengths = {1}, .values = {NAN, 0.5F}};
  EXPECT_DOUBLE_EQ(score_maximum(samples, table, 5, kDiverged).crps, 0.25);
  samples.lengths = {2};
  EXPECT_EQ(score_maximum(samples, table, 5, kDiverged).count, 0U);
}

TEST(MaximumTest, WhoIsSureOfADivergedCurveCoversIt) {
  curves::CurveTable table;
  table.dimensions = 1;
  table.horizon = 1;
  table.add(1).y[0] = 0.0F;
  Samples samples{.horizon = 1, .count = 2, .asked = {0}, .lengths = {0}, .values = {1e-4F, 2e-4F}};
  EXPECT_NEAR(score_maximum(samples, table, 1, kDiverged).coverage90, 0.9, 1e-6);
  samples.values = {1e-4F, 0.5F};
  EXPECT_NEAR(score_maximum(samples, table, 1, kDiverged).coverage90, 0.9, 1e-6);
  samples.values = {0.4F, 0.5F};
  EXPECT_EQ(score_maximum(samples, table, 1, kDiverged).coverage90, 0.0);
}

}  // namespace
}  // namespace cmbo::forecast
