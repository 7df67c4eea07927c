// SPDX-License-Identifier: Apache-2.0
#include "cli/foreseen_stops.h"

#include <gmock/gmock.h>

#include "baselines/random_search.h"
#include "cli/study_testing.h"
#include "study/metric_scale.h"

namespace cmbo::cli {

namespace {

// Two configurations that jump to 0.6 and stay there.
curves::CurveTable flat_table(size_t horizon) {
  curves::CurveTable table;
  table.dimensions = 1;
  table.horizon = horizon;
  for (int n = 0; n < 2; ++n) {
    for (float& y : table.add(horizon).y) y = 0.6F;
  }
  return table;
}

study::PolicyFactory random_policies() {
  return
      [](const decide::Utility&, const decide::Budget&) -> Result<std::unique_ptr<decide::Policy>> {
        return std::unique_ptr<decide::Policy>(std::make_unique<baselines::RandomSearch>(1));
      };
}

ForeseenStops stops_with(const TestStudy& study, size_t horizon) {
  const auto normalization = study::metric_scale(study.file().metric, study.facts()).normalization;
  const std::vector<curves::CurveTable> tables = {flat_table(horizon), flat_table(horizon)};
  const study::PolicyFactory policies = random_policies();
  return foresee_stops({.file = study.file(),
                        .normalization = normalization,
                        .epoch_cost = 1.0,
                        .policies = policies,
                        .clock = system_clock()},
                       {"two flat tasks", tables})
      .value();
}

TEST(ForeseenStops, StopsWhereNothingMoreComes) {
  const TestStudy study;  // alpha 0.01, limit 20 epochs, 4 epochs a training
  const ForeseenStops stops = stops_with(study, 4);
  ASSERT_EQ(stops.costs.size(), 2U);
  EXPECT_GT(stops.costs[0], 1.0);
  EXPECT_LT(stops.costs[0], 20.0);
  EXPECT_EQ(stops.unfinished, 0U);
  const auto normalization = study::metric_scale(study.file().metric, study.facts()).normalization;
  EXPECT_NEAR(normalization.normalize(stops.reached[0]), 0.6, 1e-6);
}

TEST(ForeseenStops, AFullTrainingCostsTheSameHoweverManyEpochsItHas) {
  const TestStudy study;
  const ForeseenStops stops = stops_with(study, 8);
  EXPECT_EQ(std::fmod(stops.costs[0], 0.5), 0.0);
  EXPECT_LT(stops.costs[0], 20.0);
}

}  // namespace

}  // namespace cmbo::cli
