// SPDX-License-Identifier: Apache-2.0
#include "study/facts.h"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "study/facts_testing.h"
#include "study/memory_storage.h"
#include "study/study_testing.h"

namespace cmbo::study {
namespace {

TEST(FactsTest, TheBestIsTheFirstOfTheBestValues) {
  StudyFile file;
  Facts facts = make_facts(3, {{0, {0.5, 0.7}}, {1, {0.7, std::nan("")}}, {2, {0.1}}});
  EXPECT_EQ(standing_of(file, facts).best_trial, 0U);
  EXPECT_EQ(standing_of(file, facts).best_step, 2U);
  EXPECT_EQ(standing_of(file, facts).best_value, 0.7);
  EXPECT_EQ(standing_of(file, facts).epochs, 5U);
  file.metric.goal = curves::Goal::kMinimize;
  EXPECT_EQ(standing_of(file, facts).best_trial, 2U);
  EXPECT_FALSE(standing_of(file, make_facts(1, {{0, {std::nan("")}}})).best_trial);
}

TEST(FactsTest, EverySecondIsPaidForOnce) {
  StudyFile file;
  file.utility.unit = CostUnit::kSeconds;
  const Facts facts = make_facts(
      3, {{.trial = 2, .tail = 7.0}, {0, {0.5, 0.6}, {3.0, 1.0}, 0.5}, {.trial = 1, .tail = 2.0}});
  const std::vector<Expense> expenses = expenses_of(file, facts);
  ASSERT_EQ(expenses.size(), 4U);
  EXPECT_EQ(expenses[0].observation, nullptr);
  EXPECT_EQ(expenses[0].cost, 7.0);
  EXPECT_EQ(expenses[1].cost, 3.0);
  EXPECT_EQ(expenses[2].cost, 1.5) << "with what followed the last step";
  EXPECT_EQ(expenses[3].cost, 2.0);
  EXPECT_EQ(standing_of(file, facts).cost, 13.5);
  EXPECT_EQ(standing_of(file, facts).train_seconds, 13.5);
  file.utility.unit = CostUnit::kEpochs;
  EXPECT_EQ(standing_of(file, facts).cost, 2.0);
}

TEST(FactsTest, LoadsWhatIsThere) {
  MemoryStorage storage;
  EXPECT_THAT(Facts::load(storage).error().message(), testing::HasSubstr("there is no study yet"));
  ASSERT_TRUE(storage.create({}, std::vector<Trial>(1)).ok());
  ASSERT_TRUE(storage.start({}, {}, {}).ok());
  ASSERT_TRUE(storage.record({0, 1, 0.5, 2.0, 1}).ok());
  const Facts facts = Facts::load(storage).value();
  EXPECT_EQ(facts.steps(0), 1U);
  EXPECT_EQ(facts.last(0)->seconds, 2.0);
  EXPECT_EQ(facts.open_slices().size(), 1U);
  EXPECT_EQ(facts.find_slice(1)->trial, 0U);
  EXPECT_EQ(facts.find_slice(2), nullptr);
  EXPECT_EQ(facts.find_slice(0), nullptr);
}

}  // namespace
}  // namespace cmbo::study
