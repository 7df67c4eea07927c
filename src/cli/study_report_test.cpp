// SPDX-License-Identifier: Apache-2.0
//
// What `status`, `trials`, `show`, `why` and `gc` print.
#include <gmock/gmock.h>

#include "cli/gc_report.h"
#include "cli/status_report.h"
#include "cli/study_testing.h"
#include "cli/trials_report.h"

namespace cmbo::cli {

namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

constexpr size_t kWidth = 100;

TEST(StatusReport, ShowsEverythingOnOneScreen) {
  TestStudy study;
  const StatusInput input{.name = "digits.yaml",
                          .driver = "process 7",
                          .queued = 1,
                          .decision = study.storage().decisions()->back(),
                          .now = 1e9 + 15};
  const std::string text = status_to_text(study.view(), input, kWidth).value();
  EXPECT_THAT(text, HasSubstr("digits.yaml: running, by process 7\n"));
  EXPECT_THAT(text, HasSubstr("val_acc 0.7 at epoch 2 of trial 0 (frozen)"));
  EXPECT_THAT(text, HasSubstr("lr 0.01  optimizer sgd"));
  EXPECT_THAT(text, HasSubstr("9 epochs, "));
  EXPECT_THAT(text, HasSubstr("20 epochs, 100 B of checkpoints"));
  EXPECT_THAT(text, HasSubstr("trial 3, epoch 1 to 2, at 1 with 0.4, for 5 s"));
  EXPECT_THAT(text, HasSubstr("last      because of test\n"));
  EXPECT_THAT(text, HasSubstr("1 configuration\n"));
}

TEST(StatusReport, SaysWhatIsExpected) {
  TestStudy study;
  StatusInput input{.name = "a", .decision = study.storage().decisions()->back()};
  EXPECT_TRUE(status_to_json(study.view(), input).value()["expected"].is_null());
  input.decision->what["outlook"] = {{"epochs", 12.0},      {"cost", 12.0}, {"seconds", 24.0},
                                     {"improvement", 0.05}, {"gain", 0.04}, {"at_least", false}};
  EXPECT_THAT(status_to_text(study.view(), input, kWidth).value(),
              HasSubstr("expected  about 12 more epochs (24 s) for +0.05 val_acc\n"));
  EXPECT_EQ(status_to_json(study.view(), input).value()["expected"]["epochs"], 12.0);
}

TEST(StatusReport, SaysThatAStepWasReportedTwice) {
  TestStudy study;
  EXPECT_THAT(status_to_text(study.view(), {.name = "a"}, kWidth).value(),
              Not(HasSubstr("warning")));
  ASSERT_EQ(study.storage().record({.trial = 0, .step = 2, .value = 0.6, .slice = 1}).value(),
            study::Recorded::kConflict);
  const study::Facts facts = study::Facts::load(study.storage()).value();
  const StudyView view{study.file(), facts};
  EXPECT_THAT(
      status_to_text(view, {.name = "a"}, kWidth).value(),
      HasSubstr("1 epoch reported twice with different values, first epoch 2 of trial 0: 0.7, "
                "then 0.6; the script is not deterministic or repeats steps"));
  EXPECT_EQ(status_to_json(view, {.name = "a"}).value()["conflicts"], 1);
  EXPECT_THAT(trial_to_text(view, 0, std::nullopt, kWidth),
              HasSubstr("epoch 2 was reported again as 0.6; the first value stays"));
  EXPECT_EQ(trial_details_to_json(view, 0, std::nullopt)["conflicts"][0]["step"], 2);
  EXPECT_TRUE(trial_details_to_json(view, 1, std::nullopt)["conflicts"].empty());
}

TEST(StatusReport, SaysThatNobodyRunsIt) {
  const TestStudy study;
  EXPECT_THAT(status_to_text(study.view(), {.name = "a"}, kWidth).value(),
              HasSubstr("a: not running; cmbo tune goes on with it"));
}

TEST(StatusReport, SaysThatAWishIsNotYetHeard) {
  const TestStudy study;
  const StatusInput input{.name = "a", .driver = "process 7", .wish = study::Wish::kPause};
  EXPECT_THAT(status_to_text(study.view(), input, kWidth).value(), HasSubstr("about to pause"));
}

TEST(StatusReport, JsonHasTheSame) {
  const TestStudy study;
  const Json json = status_to_json(study.view(), {.name = "a"}).value();
  EXPECT_EQ(json["state"], "running");
  EXPECT_TRUE(json["driver"].is_null());
  EXPECT_EQ(json["best"]["trial"], 0);
  EXPECT_EQ(json["best"]["value"], 0.7);
  EXPECT_EQ(json["cost"], 9.0);
  EXPECT_EQ(json["cost_unit"], "epochs");
  EXPECT_EQ(json["running"][0]["trial"], 3);
  EXPECT_EQ(json["trials"]["done"], 1);
}

TEST(TrialsReport, ListsTrials) {
  const TestStudy study;
  const auto trials = ranked_trials(study.view(), false);
  const std::string text = trials_to_text(study.view(), trials, kWidth);
  EXPECT_THAT(text, HasSubstr("best val_acc"));
  EXPECT_THAT(text, HasSubstr("1  lr 0.1  optimizer sgd"));
  EXPECT_THAT(text, HasSubstr("diverged"));
  EXPECT_THAT(text, HasSubstr("4/4"));
}

TEST(TrialsReport, ShowsTheLifeOfATrial) {
  const TestStudy study;
  const TrialForecast future{
      .trial = 0,
      .observed = 2,
      .quantiles = {{0.6, 0.65, 0.71, 0.8, 0.9}, {0.6, 0.65, 0.72, 0.8, 0.9}}};
  const std::string text = trial_to_text(study.view(), 0, future, kWidth);
  EXPECT_THAT(text, HasSubstr("trial 0: frozen, 2 of 4 epochs"));
  EXPECT_THAT(text, HasSubstr("0.5 0.7"));
  EXPECT_THAT(text, HasSubstr("0.72 at epoch 4, 90 % from 0.6 to 0.9"));
  EXPECT_THAT(text, HasSubstr("reached"));
}

TEST(TrialsReport, ShowsTheFirstLineOfAFailure) {
  const TestStudy study;
  const std::string text = trial_to_text(study.view(), 2, std::nullopt, kWidth);
  EXPECT_THAT(text, HasSubstr("failed: ImportError: no module"));
  const Json json = trial_details_to_json(study.view(), 2, std::nullopt);
  EXPECT_EQ(json["slices"][0]["outcome"], "failed");
  EXPECT_TRUE(json["curve"].empty());
  EXPECT_TRUE(json["forecast"].is_null());
}

TEST(TrialsReport, SaysWhatElseWasConsidered) {
  TestStudy study;
  const auto decisions = study.storage().decisions().value();
  const std::string text =
      decisions_to_text(study.view(), std::span(decisions).subspan(3, 1), kWidth);
  EXPECT_THAT(text, HasSubstr("because of test\n"));
  EXPECT_THAT(text, HasSubstr("4  lr 0.4  optimizer a,b"));
  EXPECT_THAT(text, HasSubstr("0.875"));
  EXPECT_THAT(text, HasSubstr("0.0625"));
  EXPECT_THAT(text, HasSubstr("of fresh trials to 31 %, of others to 50 %"));
  EXPECT_EQ(decisions_to_json(decisions).size(), 5U);
}

TEST(GcReport, TakesGainsFromTheLastDecision) {
  TestStudy study;
  EXPECT_THAT(gains_of(study.facts(), *study.storage().decisions()),
              ElementsAre(0.0625, 0.0, 0.0, 0.125, 0.0, 0.0));
  EXPECT_TRUE(gains_of(study.facts(), {}).empty());
}

TEST(GcReport, SaysWhatWouldGo) {
  const TestStudy study;
  const study::EvictionPlan plan = study::plan_evictions(study.file(), study.facts(), {}, 100);
  const std::string text = evictions_to_text(study.view(), plan, true, kWidth);
  EXPECT_THAT(text, HasSubstr("checkpoints take 180 B of 100 B; these would go"));
  EXPECT_THAT(text, Not(HasSubstr("0  lr 0.01")));  // the best one stays
  const Json json = evictions_to_json(study.view(), plan, true);
  EXPECT_EQ(json["freed"], 120);
  EXPECT_EQ(json["evictions"].size(), 2U);
  EXPECT_TRUE(json["dry_run"].get<bool>());
}

TEST(GcReport, SaysThatNothingHasToGo) {
  const TestStudy study;
  const study::EvictionPlan plan = study::plan_evictions(study.file(), study.facts(), {}, 1000);
  EXPECT_THAT(evictions_to_text(study.view(), plan, true, kWidth), HasSubstr("nothing has to go"));
}

}  // namespace

}  // namespace cmbo::cli
