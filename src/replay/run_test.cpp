// SPDX-License-Identifier: Apache-2.0
#include "replay/run.h"

#include <gtest/gtest.h>

#include "baselines/random_search.h"
#include "baselines/tables_testing.h"

namespace cmbo::replay {
namespace {

// One configuration that soon gets no better, at a price that makes waiting a regret.
class RunTest : public ::testing::Test {
 protected:
  Result<std::optional<RunOutcome>> replay(bool stop, size_t most = 1000) {
    baselines::RandomSearch policy(1);
    RunSettings settings{
        .table = table_, .utility = utility_, .loop = {}, .clock = clock_, .proceed = [&] {
          return asked_++ < most;
        }};
    settings.loop.budget = 8;
    settings.loop.stopping.enabled = stop;
    return run(settings, policy);
  }

  curves::CurveTable table_ =
      baselines::table_of({{0.1F, 0.8F, 0.8F, 0.8F, 0.8F, 0.8F, 0.8F, 0.8F, 0.8F}});
  decide::Utility utility_ = decide::Utility::linear(0.05).value();
  ManualClock clock_;
  size_t asked_ = 0;
};

TEST_F(RunTest, StopsWhereTheRegretOfWaitingIsTooHigh) {
  const RunOutcome outcome = replay(true).value().value();
  // U: 0.05, 0.7, 0.65, 0.6, ... ; U_min = 0.1 - 0.4 = -0.3; 1 epoch loses 5 %, 5 lose 25 %.
  EXPECT_EQ(outcome.steps.size(), 7U);
  EXPECT_EQ(outcome.stopped_at, 7U);
  EXPECT_NEAR(outcome.steps[0].regret, 0.65, 1e-6);
  EXPECT_NEAR(outcome.best_on_path(), 0.0, 1e-6);
  EXPECT_NEAR(outcome.regret(), 0.25, 1e-6);
  EXPECT_NEAR(outcome.steps[0].reachable_regret, 0.0, 1e-6);
  EXPECT_EQ(outcome.steps[0].reachable_horizon, 1.0);
  EXPECT_EQ(outcome.decisions, 8U);
  EXPECT_FALSE(outcome.reason.empty());
}

TEST_F(RunTest, WithoutStoppingItRecordsWhereItWouldHave) {
  const RunOutcome outcome = replay(false).value().value();
  EXPECT_EQ(outcome.steps.size(), 8U);
  EXPECT_EQ(outcome.stopped_at, 7U);
  EXPECT_NEAR(outcome.regret(), 0.3, 1e-6);
}

TEST_F(RunTest, CanBeCancelled) {
  EXPECT_FALSE(replay(true, 3).value().has_value());
}

}  // namespace
}  // namespace cmbo::replay
