// SPDX-License-Identifier: Apache-2.0
#include "replay/aggregation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cmbo::replay {
namespace {

using ::testing::ElementsAre;

TEST(RanksTest, EqualValuesShareTheirPlaces) {
  EXPECT_THAT(ranks(std::vector{0.3, 0.1, 0.3, 0.2}), ElementsAre(3.5, 1, 3.5, 2));
  EXPECT_THAT(ranks(std::vector{5.0, 5.0, 5.0}), ElementsAre(2, 2, 2));
}

RunRecord run_of(const char* method, const char* task, uint64_t seed, std::vector<double> regrets) {
  RunRecord record;
  record.key = {"bench", task, method, 0.0, seed, Json::object()};
  for (const double regret : regrets) record.outcome.steps.push_back({.regret = regret});
  record.outcome.decisions = regrets.size();
  record.outcome.decision_seconds = 0.002 * static_cast<double>(regrets.size());
  return record;
}

TEST(AggregationTest, ByHand) {
  const std::vector<RunRecord> records = {
      run_of("random", "a", 1, {0.1, 0.2}), run_of("random", "a", 2, {0.4}),
      run_of("random", "b", 1, {0.6}),      run_of("random", "b", 2, {0.8}),
      run_of("cmbo", "a", 1, {0.3}),        run_of("cmbo", "b", 1, {0.1, 0.5})};
  std::vector<const RunRecord*> runs;
  for (const RunRecord& record : records) runs.push_back(&record);
  const std::vector<MethodResult> results = aggregate(runs);
  ASSERT_EQ(results.size(), 2U);
  const MethodResult& random = results[0];
  EXPECT_EQ(random.method, "random");
  EXPECT_EQ(random.seeds, 2U);
  EXPECT_NEAR(random.regret_mean, 0.5, 1e-12);
  EXPECT_NEAR(*random.regret_std, 0.1414213562373095, 1e-12);  // of 0.4 and 0.6
  EXPECT_NEAR(random.best_on_path, (0.25 + 0.7) / 2, 1e-12);
  EXPECT_NEAR(random.steps, 1.25, 1e-12);
  EXPECT_NEAR(random.ms_per_decision, 2.0, 1e-12);
  EXPECT_NEAR(random.rank, 1.75, 1e-12);  // equal on a, second on b
  const MethodResult& cmbo = results[1];
  EXPECT_FALSE(cmbo.regret_std.has_value());
  EXPECT_NEAR(cmbo.rank, 1.25, 1e-12);
  EXPECT_NEAR(cmbo.tasks[1].best_on_path, 0.1, 1e-12);
}

}  // namespace
}  // namespace cmbo::replay
