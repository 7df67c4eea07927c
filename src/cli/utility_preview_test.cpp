// SPDX-License-Identifier: Apache-2.0
#include "cli/utility_preview.h"

#include <cmath>
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "study/metric_scale.h"

namespace cmbo::cli {

namespace {

using testing::HasSubstr;

study::StudyFile file_with(const std::string& utility, const std::string& goal = "maximize") {
  return study::study_file_from_yaml(fmt::format(R"(
command: "true"
metric: {{name: score, goal: {}, range: [0, 1]}}
fidelity: {{max: 50}}
parameters: {{lr: {{type: float, low: 0, high: 1}}}}
utility: {}
)",
                                                 goal, utility))
      .value();
}

curves::Normalization scale_of(const study::StudyFile& file) {
  return study::metric_scale(file.metric, study::Facts()).normalization;
}

UtilityPreview preview_of(const study::StudyFile& file) {
  return preview_utility(file, scale_of(file)).value();
}

TEST(UtilityPreview, ATradeoffMeansWhatItSays) {
  const auto file = file_with("{tradeoff: \"0.01 of score is worth 20 epochs\"}");
  const UtilityPreview preview = preview_of(file);
  EXPECT_THAT(preview.costs, testing::ElementsAre(2.0, 20.0, 200.0));
  for (const Exchange& exchange : preview.exchanges) {
    if (exchange.from == 0.95 && exchange.cost == 200.0) {
      EXPECT_FALSE(exchange.gain);  // from 0.95 no gain of 0.1 is left
      continue;
    }
    EXPECT_NEAR(*exchange.gain, 0.01 * exchange.cost / 20.0, 2e-3 * exchange.cost / 20.0);
  }
}

TEST(UtilityPreview, AlphaIsPerEpochOfTheNormalizedMetric) {
  const auto file = file_with("{alpha: 2e-4}");
  const UtilityPreview preview = preview_of(file);
  const Exchange& middle = preview.exchanges[4];  // 10 epochs, from 0.8
  EXPECT_EQ(middle.cost, 10.0);
  const auto scale = scale_of(file);
  EXPECT_NEAR(scale.normalize(0.8 + *middle.gain) - scale.normalize(0.8), 0.002, 1e-9);
  EXPECT_THAT(preview_to_text(preview, file, 100), HasSubstr("you would pay 10 epochs for +0.00"));
}

TEST(UtilityPreview, GainsOfAMinimizedMetricGoDown) {
  const auto file = file_with("{tradeoff: \"0.01 of score is worth 2 h\"}", "minimize");
  const UtilityPreview preview = preview_of(file);
  EXPECT_NEAR(preview.from[1], 0.2, 1e-12);
  EXPECT_NEAR(*preview.exchanges[4].gain, 0.01, 1e-3);
  EXPECT_THAT(preview_to_text(preview, file, 100),
              HasSubstr("you would pay 2:00:00 of training for −0.01"));
}

TEST(UtilityPreview, SaysWhenOneWouldStop) {
  const auto file = file_with("{alpha: 2e-4}");
  UtilityPreview preview = preview_of(file);
  preview.stops = ForeseenStops{"3 tasks", {40.0, 70.0, 100.0}, {0.9, 0.7, 0.8}};
  EXPECT_THAT(preview_to_text(preview, file, 100),
              HasSubstr("On curves like those of 3 tasks you would stop after about 70 epochs (40 "
                        "epochs to 100 epochs), with score at about 0.8."));
  EXPECT_EQ(preview_to_json(preview, file)["stops"]["costs"].size(), 3U);
  preview.stops->unfinished = 2;
  EXPECT_THAT(preview_to_text(preview, file, 100), HasSubstr("still go on after 100 epochs"));
}

TEST(UtilityPreview, NothingIsWorthMoreThanEverything) {
  const auto file = file_with("{alpha: 1}");
  EXPECT_FALSE(preview_of(file).exchanges[4].gain);
  EXPECT_THAT(preview_to_text(preview_of(file), file, 100),
              HasSubstr("nothing is worth 10 epochs"));
}

TEST(UtilityPreview, DrawsLinesOfEqualUtility) {
  const auto file = file_with("{alpha: 2e-3}");
  const std::string svg = indifference_svg(file, scale_of(file)).value();
  EXPECT_THAT(svg, HasSubstr("cost in epochs"));
  EXPECT_THAT(svg, HasSubstr("equally good along each line"));
}

}  // namespace

}  // namespace cmbo::cli
