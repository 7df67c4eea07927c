// SPDX-License-Identifier: Apache-2.0
#include "replay/figures.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "forecast/test_model.h"
#include "replay/extrapolation_figure.h"
#include "replay/trajectories.h"

namespace cmbo::replay {
namespace {

using ::testing::HasSubstr;

RunRecord run_of(const std::string& method, uint64_t seed) {
  RunRecord record;
  record.key = {"toy", "../a, b", method, 4e-5, seed, Json::object()};
  for (int b = 1; b <= 4; ++b) {
    record.outcome.steps.push_back({.configuration = static_cast<double>(b % 2),
                                    .epoch = static_cast<double>((b + 1) / 2),
                                    .regret = 0.4 / b,
                                    .reachable_regret = 0.0,
                                    .reachable_horizon = 2});
  }
  record.outcome.stopped_at = 3;
  return record;
}

TEST(FiguresTest, EveryAxisHasALabelAndEveryFileASafeName) {
  const std::vector<RunRecord> runs = {run_of("cmbo", 1), run_of("random", 1), run_of("random", 2)};
  const std::vector<Picture> pictures = draw_figures(runs).value();
  ASSERT_EQ(pictures.size(), 5U);
  EXPECT_EQ(pictures[0].file, "regret-toy-4e-05.svg");
  EXPECT_EQ(pictures[2].file, "chosen-toy-4e-05-.._a__b.svg");
  EXPECT_THAT(pictures[0].svg, HasSubstr("normalized regret"));
  EXPECT_THAT(pictures[0].svg, HasSubstr("step"));
  EXPECT_THAT(pictures[0].svg, HasSubstr("random"));
  EXPECT_THAT(pictures[1].svg, HasSubstr("least reachable regret"));
  EXPECT_THAT(pictures[1].svg, HasSubstr("Δt"));
  EXPECT_THAT(pictures[2].svg, HasSubstr("epochs trained"));
  EXPECT_EQ(pictures[3].file, "trained-toy-4e-05-cmbo-.._a__b.svg");
  EXPECT_EQ(pictures[4].file, "trained-toy-4e-05-random-.._a__b.svg");
  EXPECT_THAT(pictures[3].svg, HasSubstr("configuration, in the order"));
  EXPECT_THAT(pictures[3].svg, HasSubstr("What cmbo trained"));
}

TEST(FiguresTest, OtherRulesForRunsThatWentOn) {
  RunRecord run = run_of("cmbo", 1);
  run.key.conditions = {{"stop", false}};
  for (StepRecord& step : run.outcome.steps) step.probability = 0.5;
  const std::vector<Picture> pictures = draw_figures(std::vector{run}).value();
  EXPECT_EQ(pictures.back().file, "stops-toy.svg");
  EXPECT_THAT(pictures.back().svg, HasSubstr("β of the paper"));
  EXPECT_THAT(pictures.back().svg, HasSubstr("stroke-dasharray")) << "the rule of the look";
}

TEST(FiguresTest, RunsOfDifferentOptionsAreNotMixed) {
  std::vector<RunRecord> runs = {run_of("cmbo", 1), run_of("cmbo", 1)};
  runs[1].key.conditions["beta"] = 1.0;
  EXPECT_THAT(draw_figures(runs).error().message(), HasSubstr("different options"));
}

TEST(FiguresTest, AForecastForEveryMomentOfARun) {
  RunRecord run = run_of("cmbo", 1);
  curves::CurveTable table = forecast::test_history();
  std::fill(table.lengths.begin(), table.lengths.end(), 12U);
  ThreadPool pool(1);
  const std::string svg = extrapolation_svg(run, table, forecast::test_model(), pool);
  for (const char* title : {"0, after 0 steps", "0, after 4 steps", "1, after 4 steps"}) {
    EXPECT_THAT(svg, HasSubstr(title));
  }
  EXPECT_THAT(svg, ::testing::Not(HasSubstr("after 10 steps"))) << "there were four";
  EXPECT_THAT(svg, HasSubstr("recorded"));
}

TEST(TrajectoriesTest, OneLineForEachStep) {
  const RunRecord run = run_of("cmbo", 1);
  const RunRecord* const runs[] = {&run};
  const std::string csv = trajectories_csv(runs);
  EXPECT_THAT(csv, ::testing::StartsWith("benchmark,task,method,alpha,seed,step,configuration,"
                                         "epoch,value,best,utility,regret,acquisition,horizon,"
                                         "probability,threshold,estimated_regret,look_gain,"
                                         "look_price,"));
  EXPECT_THAT(csv, HasSubstr("\ntoy,\"../a, b\",cmbo,4e-05,1,2,0,1,0,0,0,0.2,,,,,,,,0,2,0\n"));
  EXPECT_THAT(csv, HasSubstr(",1,3,1,2,0,0,0,0.133333333,,,,,,,,0,2,1\n"));
}

}  // namespace
}  // namespace cmbo::replay
