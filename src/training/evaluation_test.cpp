// SPDX-License-Identifier: Apache-2.0
#include "training/evaluation.h"

#include <gtest/gtest.h>

namespace cmbo::training {
namespace {

TEST(FateTest, ADivergedValueIsNoOther) {
  EXPECT_EQ(fate_of(0.0F, 0.5F), Fate::kDiverged);
  EXPECT_EQ(fate_of(0.0F, 0.0F), Fate::kDiverged);
  EXPECT_EQ(fate_of(0.001F, 0.0F), Fate::kStayed);
}

TEST(FateTest, SmallDifferencesAreNoMove) {
  EXPECT_EQ(fate_of(0.501F, 0.5F), Fate::kStayed);
  EXPECT_EQ(fate_of(0.499F, 0.5F), Fate::kStayed);
  EXPECT_EQ(fate_of(0.503F, 0.5F), Fate::kMoved);
  EXPECT_EQ(fate_of(0.497F, 0.5F), Fate::kMoved);
}

TEST(ScoreTest, AnIntervalCoversItsShareOfTheAtomOfDivergedCurves) {
  const network::Bars bars({0.0F, 0.01F, 0.5F, 1.0F});
  const auto coverages = [&](float diverged, float truth) {
    const std::vector<float> p = {diverged, 1.0F - diverged, 0.0F};
    const Scores scores = score({&bars, p, 0.0F, {0.5F, 0.5F, 0.1F, 0.1F}}, truth);
    return std::pair(scores.coverage50, scores.coverage90);
  };
  const auto [half, most] = coverages(1.0F, 0.0F);
  EXPECT_NEAR(half, 0.5, 1e-6);
  EXPECT_NEAR(most, 0.9, 1e-6);
  EXPECT_NEAR(coverages(0.1F, 0.0F).second, 0.5, 1e-6) << "from 5 to 10 %";
  EXPECT_EQ(coverages(0.1F, 0.0F).first, 0.0);
  EXPECT_EQ(coverages(0.04F, 0.0F).second, 0.0);
  EXPECT_EQ(coverages(1.0F, 0.3F).second, 0.0) << "said to diverge, and did not";
  EXPECT_EQ(coverages(0.0F, 0.3F).second, 1.0);
}

TEST(OverallTest, CountsCellsAlikeAndFatesByAnswers) {
  Cell one{0, 0, {.nll = 1.0, .count = 10}, {}, {}},
      other{10, 0, {.nll = 3.0, .count = 30}, {}, {}};
  one.by_fate[0] = {.nll = 1.0, .count = 10};
  other.by_fate[0] = {.nll = 5.0, .count = 30};
  const std::vector<Cell> cells = {one, other};
  const Overall all = overall(cells);
  EXPECT_DOUBLE_EQ(all.last.nll, 2.0);
  EXPECT_DOUBLE_EQ(all.by_fate[0].nll, 4.0);
  EXPECT_EQ(all.by_fate[1].count, 0U);
}

}  // namespace
}  // namespace cmbo::training
