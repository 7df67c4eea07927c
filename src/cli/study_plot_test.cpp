// SPDX-License-Identifier: Apache-2.0
#include "cli/study_plot.h"

#include <gmock/gmock.h>

#include "cli/study_testing.h"
#include "forecast/test_model.h"

namespace cmbo::cli {

namespace {

using testing::HasSubstr;

TEST(StudyForecast, GivesOrderedQuantilesOfTheRestInOwnUnits) {
  const TestStudy study;
  const network::Model model = forecast::test_model();
  ThreadPool pool(1);
  const std::vector<uint32_t> asked = {0, 3};
  const auto futures = forecast_trials(study.view(), asked, model, pool).value();
  ASSERT_EQ(futures.size(), 2U);
  EXPECT_EQ(futures[0].observed, 2U);
  EXPECT_EQ(futures[0].quantiles.size(), 2U);
  EXPECT_EQ(futures[1].quantiles.size(), 3U);
  for (const auto& row : futures[0].quantiles) {
    EXPECT_TRUE(std::is_sorted(row.begin(), row.end()));
    EXPECT_GE(row.front(), 0.0);
    EXPECT_LE(row.back(), 1.0);
  }
}

TEST(StudyForecast, KnowsWhoHasAFuture) {
  const TestStudy study;
  std::vector<bool> futures;
  for (uint32_t n = 0; n < 6; ++n) futures.push_back(has_future(study.view(), n));
  EXPECT_THAT(futures, testing::ElementsAre(true, false, false, true, false, true));
}

TEST(StudyPlot, DrawsCurvesWithFans) {
  const TestStudy study;
  const TrialForecast future{
      .trial = 0,
      .observed = 2,
      .quantiles = {{0.6, 0.65, 0.71, 0.8, 0.9}, {0.6, 0.65, 0.72, 0.8, 0.9}}};
  const std::vector<uint32_t> best = {0, 4};
  const std::string plain = study_curves_svg(study.view(), "digits", best, {}).value();
  const std::string svg =
      study_curves_svg(study.view(), "digits", best, std::span(&future, 1)).value();
  EXPECT_THAT(svg, HasSubstr("Learning curves: digits"));
  EXPECT_THAT(svg, HasSubstr("trial 0, best 0.7 at epoch 2"));
  EXPECT_THAT(svg, HasSubstr("4 configurations, 9 epochs trained; fans"));
  EXPECT_GT(svg.size(), plain.size() + 100);
}

TEST(StudyPlot, DrawsUtilityOverCost) {
  const TestStudy study;
  const std::string svg = study_utility_svg(study.view(), "digits").value();
  EXPECT_THAT(svg, HasSubstr("cost in epochs"));
  EXPECT_THAT(svg, HasSubstr("Best so far"));
  EXPECT_THAT(svg, HasSubstr("alpha 0.01 per epoch"));
}

}  // namespace

}  // namespace cmbo::cli
