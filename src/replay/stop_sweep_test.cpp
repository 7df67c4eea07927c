// SPDX-License-Identifier: Apache-2.0
#include "replay/stop_sweep.h"

#include <gtest/gtest.h>

namespace cmbo::replay {
namespace {

// Regret falls to 0.1 at the third step and rises again; the rule's evidence grows with every step.
RunRecord run_to_the_end() {
  RunRecord run;
  run.key = {"bench", "task", "cmbo", 0.01, 1, {{"stop", false}}};
  const double regrets[] = {0.5, 0.3, 0.1, 0.2, 0.4};
  for (size_t i = 0; i < 5; ++i) {
    StepRecord step;
    step.regret = regrets[i];
    step.estimated_regret = 0.1 * static_cast<double>(i);
    step.probability = 0.5;  // threshold 0.2 for every beta
    step.look_gain = 0.05 - 0.01 * static_cast<double>(i);
    step.look_price = 0.035;
    run.outcome.steps.push_back(step);
  }
  return run;
}

TEST(StopSweepTest, StopsBeforeTheStepWhoseEvidenceSaysSo) {
  const RunRecord run = run_to_the_end();
  // 0.3 > 0.2 stands in the record of the fourth step: three were made.
  EXPECT_EQ(steps_until_stop(run, {.by = decide::StopBy::kRegret}), 3U);
  EXPECT_EQ(steps_until_stop(run, {.by = decide::StopBy::kLook}), 2U) << "0.03 < 0.035";
}

TEST(StopSweepTest, MeansOverRunsThatWentOnAndTheBestPointOfThePath) {
  RunRecord stopped = run_to_the_end();
  stopped.key.conditions = {{"stop", true}};
  RunRecord without_probability = run_to_the_end();
  without_probability.outcome.steps[0].probability = kUnknown;
  const auto stops =
      sweep_stops(std::vector{run_to_the_end(), stopped, without_probability, run_to_the_end()});
  ASSERT_EQ(stops.size(), rules_to_sweep().size() + 1);
  EXPECT_EQ(stops[0].beta, 0.0);
  EXPECT_DOUBLE_EQ(stops[0].regret, 0.1);
  EXPECT_DOUBLE_EQ(stops[0].steps, 3.0);
  EXPECT_EQ(stops.back().rule, "best on path");
  EXPECT_DOUBLE_EQ(stops.back().regret, 0.1);
  EXPECT_FALSE(can_be_swept(stopped));
}

}  // namespace
}  // namespace cmbo::replay
