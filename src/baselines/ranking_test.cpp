// SPDX-License-Identifier: Apache-2.0
#include "baselines/ranking.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "baselines/tables_testing.h"

namespace cmbo::baselines {
namespace {

using ::testing::ElementsAre;

// Two tasks, three configurations, three epochs.
class RankingTest : public ::testing::Test {
 protected:
  Ranking make(double alpha) const {
    return Ranking(std::vector<const curves::CurveTable*>{&first_, &second_},
                   decide::Utility::linear(alpha).value());
  }

  curves::CurveTable first_ =
      table_of({{0.5F, 0.5F, 0.5F}, {0.1F, 0.4F, 0.9F}, {0.2F, 0.1F, 0.0F}});
  curves::CurveTable second_ =
      table_of({{0.6F, 0.6F, 0.7F}, {0.1F, 0.2F, 0.7F}, {0.3F, 0.1F, 0.0F}});
};

TEST_F(RankingTest, WithoutPriceTheBestEndIsFirst) {
  const Ranking ranking = make(0.0);
  // Means of the best values: 0.6, 0.8, 0.25.
  EXPECT_THAT(ranking.order(), ElementsAre(1, 0, 2));
  EXPECT_THAT(ranking.lengths(), ElementsAre(3, 3, 1));
}

TEST_F(RankingTest, WithAPriceEarlyOnesAreFirstAndShort) {
  const Ranking ranking = make(0.2);
  // Alone: 0.3 and 0.4; 0.3 and 0.1; 0.0 and 0.1. The second one pays at its last epoch only.
  EXPECT_THAT(ranking.order(), ElementsAre(0, 1, 2));
  EXPECT_THAT(ranking.lengths(), ElementsAre(1, 3, 1));
}

TEST_F(RankingTest, TrainsEachToItsLengthAndThenTheRest) {
  Ranking ranking = make(0.2);
  decide::History history(first_);
  std::vector<uint32_t> chosen;
  while (!history.candidates().empty()) {
    chosen.push_back(ranking.choose(history).value().configuration);
    history.add(chosen.back(), 0.5F);
  }
  EXPECT_THAT(chosen, ElementsAre(0, 1, 1, 1, 2, 0, 0, 2, 2));
}

}  // namespace
}  // namespace cmbo::baselines
