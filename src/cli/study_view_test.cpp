// SPDX-License-Identifier: Apache-2.0
#include "cli/study_view.h"

#include <cmath>
#include <gmock/gmock.h>

#include "cli/study_testing.h"
#include "cli/study_text.h"
#include "cli/tune_view.h"
#include "study/metric_scale.h"

namespace cmbo::cli {

namespace {

using testing::ElementsAre;

std::vector<uint32_t> numbers_of(const std::vector<TrialView>& trials) {
  std::vector<uint32_t> numbers;
  for (const TrialView& trial : trials) numbers.push_back(trial.number);
  return numbers;
}

TEST(StudyView, ATrialHasItsBestAndLastValueAndItsCost) {
  const TestStudy study;
  const TrialView done = trial_view(study.view(), 4);
  EXPECT_EQ(done.steps, 4U);
  EXPECT_EQ(done.best, 0.65);
  EXPECT_EQ(done.best_step, 2U);
  EXPECT_EQ(done.last, 0.6);
  EXPECT_EQ(done.seconds, 9.0);
  EXPECT_EQ(done.cost, 4.0);
}

TEST(StudyView, ADivergedTrialKeepsWhatItReachedBefore) {
  const TestStudy study;
  const TrialView diverged = trial_view(study.view(), 1);
  EXPECT_EQ(diverged.best, 0.6);
  EXPECT_TRUE(std::isnan(*diverged.last));
  EXPECT_TRUE(trial_to_json(study.view(), diverged)["last"].is_null());
}

TEST(StudyView, AnOpenSliceCountsAsFarAsItHasReported) {
  const TestStudy study;
  EXPECT_EQ(trial_view(study.view(), 3).seconds, 2.0);
}

TEST(StudyView, TheBestComeFirstAndTheUntrainedOnlyWhenAsked) {
  const TestStudy study;
  EXPECT_THAT(numbers_of(ranked_trials(study.view(), false)), ElementsAre(0, 4, 1, 3, 2));
  EXPECT_THAT(numbers_of(ranked_trials(study.view(), true)), ElementsAre(0, 4, 1, 3, 2, 5));
}

TEST(StudyView, UtilityIsThatOfTheBestAndOfAllThatWasSpent) {
  const TestStudy study;
  const double normalized =
      study::metric_scale(study.file().metric, study.facts()).normalization.normalize(0.7);
  EXPECT_NEAR(utility_now(study.view()).value(), normalized - 0.01 * 9, 1e-12);
}

TEST(StudyView, CountsStates) {
  const TestStudy study;
  EXPECT_EQ(census_text(study.facts()), "1 running, 1 frozen, 1 done, 1 diverged, 1 failed, 1 new");
  EXPECT_EQ(census_to_json(study.facts())["dropped"], 0);
}

TEST(StudyText, ListsLimits) {
  const TestStudy study;
  EXPECT_EQ(limits_text(study.file()), "20 epochs, 100 B of checkpoints");
}

}  // namespace

}  // namespace cmbo::cli
