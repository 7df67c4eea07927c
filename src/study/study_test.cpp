// SPDX-License-Identifier: Apache-2.0
#include "study/study.h"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>
#include <optional>
#include <set>

#include "study/memory_storage.h"
#include "study/study_testing.h"

namespace cmbo::study {
namespace {

using testing::HasSubstr;

class StudyTest : public testing::Test {
 protected:
  void begin(const std::string& more = "", PolicyFactory factory = least_trained()) {
    text_ = small_study(more);
    factory_ = std::move(factory);
    reopen();
  }
  void reopen() {
    study_.reset();
    auto study =
        Study::open(study_file_from_yaml(text_).value(), text_, {storage_, clock_, factory_});
    ASSERT_TRUE(study.ok()) << study.error().message();
    study_.emplace(std::move(study).value());
  }
  Train train() {
    const Answer answer = study_->ask().value();
    const auto* train = std::get_if<Train>(&answer);
    CHECK(train != nullptr, "expected to train, but " + said(answer));
    return *train;
  }
  static std::string said(const Answer& answer) {
    if (const auto* wait = std::get_if<Wait>(&answer)) return "wait: " + wait->reason;
    if (const auto* stop = std::get_if<Stop>(&answer)) return stop->reason;
    return "train";
  }
  std::string ask() { return said(study_->ask().value()); }
  Reported report(const Train& train, uint32_t step, double value, double seconds = 1.0) {
    return study_->report(train.slice, {step, value, seconds}).value();
  }
  void end(const Train& train, Outcome outcome = Outcome::kReached, std::string text = "") {
    ASSERT_TRUE(study_->end_slice(train.slice, {outcome, std::move(text), 0.0}).ok());
  }
  // Reports all steps of a slice and ends it.
  void finish(const Train& train, double value = 0.5) {
    for (uint32_t step = train.from + 1; step <= train.to; ++step) report(train, step, value);
    end(train);
  }
  const Trial& trial(uint32_t number) { return study_->facts().trials()[number]; }
  TrialState state(uint32_t number) { return trial(number).state; }

  std::string text_;
  MemoryStorage storage_;
  ManualClock clock_;
  PolicyFactory factory_;
  std::optional<Study> study_;
};

TEST_F(StudyTest, TheDefaultConfigurationComesFirstAndIsThereOnce) {
  begin();
  EXPECT_EQ(study_->facts().trials().size(), 8U);
  const Train first = train();
  EXPECT_EQ(first.trial, 0U);
  EXPECT_EQ(first.parameters.dump(), R"({"width":5})");
  EXPECT_EQ(first.from, 0U);
  EXPECT_EQ(first.to, 2U) << "start-up is not known yet";
  EXPECT_EQ(storage_.decisions().value()[0].what["reason"],
            "configuration 0 first: it is the default one");
  std::set<std::string> different;
  for (const Trial& trial : study_->facts().trials()) different.insert(trial.parameters.dump());
  EXPECT_EQ(different.size(), 8U);
}

TEST_F(StudyTest, RunsUntilEverythingIsTrained) {
  begin("utility: {alpha: 0}\nlimits: {workers: 3}");
  FakeTrainings trainings;
  EXPECT_EQ(run_until_stopped(*study_, trainings).value(),
            "stop: no configuration is left to train: 8 done");
  EXPECT_EQ(trainings.trained(), 32U);
  EXPECT_EQ(study_->facts().observations().size(), 32U);
  EXPECT_EQ(standing_of(study_->file(), study_->facts()).cost, 32.0);
  EXPECT_EQ(ask(), "stop: no configuration is left to train: 8 done") << "a stop is final";
}

TEST_F(StudyTest, WorkersNeverGetTheSameConfiguration) {
  begin("limits: {workers: 3}");
  const Train a = train(), b = train(), c = train();
  EXPECT_EQ(std::set({a.trial, b.trial, c.trial}).size(), 3U);
  EXPECT_EQ(ask(), "wait: 3 of 3 workers are busy");
  finish(b);
  EXPECT_EQ(state(b.trial), TrialState::kFrozen);
  EXPECT_NE(train().trial, a.trial);
}

TEST_F(StudyTest, ReportsAreIdempotentAndTheFirstValueStays) {
  begin();
  const Train slice = train();
  EXPECT_EQ(report(slice, 1, 0.25).recorded, Recorded::kNew);
  EXPECT_EQ(report(slice, 1, 0.25).recorded, Recorded::kKnown);
  EXPECT_EQ(report(slice, 1, 0.75).recorded, Recorded::kConflict);
  EXPECT_EQ(study_->facts().observations().size(), 1U);
  EXPECT_EQ(study_->facts().observations()[0].value, 0.25);
  EXPECT_EQ(report(slice, 1, 0.8).recorded, Recorded::kConflict);
  ASSERT_EQ(study_->facts().conflicts().size(), 1U);
  EXPECT_EQ(study_->facts().conflicts()[0].value, 0.75);
  EXPECT_THAT(study_->report(slice.slice, {3, 0.5, 1.0}).error().message(),
              HasSubstr("step 3 was reported after step 1"));
  EXPECT_THAT(study_->report(slice.slice, {5, 0.5, 1.0}).error().message(),
              HasSubstr("fidelity.max is 4"));
  EXPECT_THAT(study_->report(99, {1, 0.5, 1.0}).error().message(), HasSubstr("no slice 99"));
  EXPECT_TRUE(report(slice, 0, 0.1).go_on) << "the value before training";
  EXPECT_FALSE(report(slice, 2, 0.5).go_on) << "at its target";
}

TEST_F(StudyTest, ADivergedTrialIsOver) {
  begin();
  const Train slice = train();
  EXPECT_FALSE(report(slice, 1, std::numeric_limits<double>::infinity()).go_on);
  EXPECT_TRUE(std::isnan(study_->facts().observations()[0].value));
  EXPECT_FALSE(report(slice, 2, 0.5).go_on);
  EXPECT_EQ(study_->facts().observations().size(), 1U) << "nothing counts after that";
  end(slice, Outcome::kPreempted);
  EXPECT_EQ(state(0), TrialState::kDiverged);
  EXPECT_EQ(study_->facts().slices()[0].outcome, Outcome::kDiverged);
  EXPECT_NE(train().trial, 0U);
}

TEST_F(StudyTest, APreemptedTrialIsFrozenWhereItWas) {
  begin();
  const Train slice = train();
  report(slice, 1, 0.5);
  end(slice, Outcome::kPreempted, "signal 15");
  EXPECT_EQ(state(0), TrialState::kFrozen);
  const Train second = train();
  EXPECT_EQ(second.trial, 1U);
  end(second, Outcome::kPreempted);
  EXPECT_EQ(state(1), TrialState::kNew) << "without a step it is as new";
}

TEST_F(StudyTest, KilledAgainAndAgainIsFailed) {
  begin();
  for (uint32_t i = 0; i < kMostPreemptions; ++i) {
    EXPECT_EQ(state(0), TrialState::kNew);
    end(train(), Outcome::kPreempted, "signal 9");
  }
  EXPECT_EQ(state(0), TrialState::kFailed);
  EXPECT_THAT(trial(0).note, HasSubstr("out of memory? signal 9"));
}

TEST_F(StudyTest, ProgressOrACrashOfOursForgivesPreemptions) {
  begin();
  end(train(), Outcome::kPreempted);
  end(train(), Outcome::kPreempted);
  const Train third = train();
  report(third, 1, 0.5);
  end(third, Outcome::kPreempted);
  EXPECT_EQ(state(0), TrialState::kFrozen);
}

TEST_F(StudyTest, AFailureEndsATrialAndNotTheStudy) {
  begin();
  const Train slice = train();
  report(slice, 1, 0.5);
  end(slice, Outcome::kFailed, "out of range");
  EXPECT_EQ(state(0), TrialState::kFailed);
  EXPECT_EQ(trial(0).note, "out of range");
  for (int i = 0; i < 4; ++i) end(train(), Outcome::kTimedOut, "too slow");
  EXPECT_EQ(ask(), "train") << "the script has worked once";
}

TEST_F(StudyTest, AScriptThatFailsOnEveryConfigurationStopsTheStudy) {
  begin();
  for (uint32_t i = 0; i < kMostFirstFailures; ++i) {
    end(train(), Outcome::kFailed, "No module named torch");
  }
  EXPECT_EQ(
      ask(),
      "stop: the first 3 configurations all failed; the last one said: No module named torch");
}

TEST_F(StudyTest, EndingWellBeforeTheTargetIsAFailure) {
  begin();
  const Train slice = train();
  report(slice, 1, 0.5);
  end(slice);
  EXPECT_EQ(state(0), TrialState::kFailed);
  EXPECT_THAT(trial(0).note, HasSubstr("ended at step 1 although it was to train up to step 2"));
  end(slice, Outcome::kPreempted);
  EXPECT_EQ(state(0), TrialState::kFailed) << "what has ended has ended";
}

TEST_F(StudyTest, ReopeningLosesNothing) {
  begin("limits: {workers: 2}");
  const Train a = train(), b = train();
  report(a, 1, 0.5);
  reopen();
  EXPECT_EQ(state(a.trial), TrialState::kFrozen);
  EXPECT_EQ(state(b.trial), TrialState::kNew);
  EXPECT_EQ(study_->facts().slices()[0].outcome, Outcome::kLost);
  const Train again = train();
  EXPECT_EQ(again.trial, 1U);
  EXPECT_EQ(report(a, 2, 0.6).recorded, Recorded::kNew) << "late, but it was done";
  EXPECT_EQ(study_->facts().steps(0), 2U);
}

TEST_F(StudyTest, ALateReportBringsItsTrialToTheEnd) {
  begin();
  const Train a = train();
  reopen();
  for (uint32_t step = 1; step <= 4; ++step) report(a, step, 0.5);
  EXPECT_EQ(state(0), TrialState::kDone);
  reopen();
  EXPECT_EQ(state(0), TrialState::kDone);
}

TEST_F(StudyTest, AnotherSpaceIsAnotherStudy) {
  begin();
  std::string other = text_;
  other.replace(other.find("high: 8"), 7, "high: 9");
  const auto study =
      Study::open(study_file_from_yaml(other).value(), other, {storage_, clock_, factory_});
  EXPECT_THAT(study.error().message(), HasSubstr("parameters: differs"));
  text_ = small_study("limits: {epochs: 7}");
  reopen();
  EXPECT_EQ(storage_.study().value()->definition, text_) << "limits may change";
}

TEST_F(StudyTest, ThePoolMayGrowAndNotShrink) {
  text_ = small_study();
  text_.replace(text_.find("pool: 8"), 7, "pool: 3");
  factory_ = least_trained();
  reopen();
  finish(train());
  ASSERT_TRUE(storage_.enqueue({{"width", 1}}).ok());
  finish(train());
  const size_t before = study_->facts().trials().size();
  text_.replace(text_.find("pool: 3"), 7, "pool: 7");
  reopen();
  EXPECT_GE(study_->facts().trials().size(), 7U);
  std::set<std::string> different;
  for (const Trial& trial : study_->facts().trials()) different.insert(trial.parameters.dump());
  EXPECT_EQ(different.size(), study_->facts().trials().size()) << "nothing twice";
  EXPECT_GT(different.size(), before);
  EXPECT_EQ(study_->facts().steps(0), 2U);
  std::string smaller = text_;
  smaller.replace(smaller.find("pool: 7"), 7, "pool: 6");
  const auto study =
      Study::open(study_file_from_yaml(smaller).value(), smaller, {storage_, clock_, factory_});
  EXPECT_EQ(study.error().message(), "pool: was 7 and cannot become smaller; change it back");
}

TEST_F(StudyTest, AnotherSeedIsAnotherStudy) {
  begin();
  const std::string other = small_study("seed: 3");
  const auto study =
      Study::open(study_file_from_yaml(other).value(), other, {storage_, clock_, factory_});
  EXPECT_THAT(study.error().message(), HasSubstr("seed: differs"));
}

TEST_F(StudyTest, TheLimitOfEpochsHoldsOverRestartsAndWorkers) {
  begin("utility: {alpha: 0}\nlimits: {epochs: 7, workers: 4}");
  for (int restart = 0; restart < 3; ++restart) {
    finish(train());
    reopen();
  }
  FakeTrainings trainings;
  const Result<std::string> reason = run_until_stopped(*study_, trainings);
  EXPECT_THAT(reason.value(), HasSubstr("7"));
  EXPECT_EQ(study_->facts().observations().size(), 7U);
}

TEST_F(StudyTest, NothingIsTrainedBeyondTheLimitOfCost) {
  begin("utility: {alpha: 0, per: s}\nlimits: {cost: 10 s, workers: 2}");
  const Train first = train();
  report(first, 1, 0.5, 4.0);
  report(first, 2, 0.5, 4.0);
  end(first);
  ASSERT_TRUE(storage_.enqueue({{"width", 6}}).ok());
  EXPECT_THAT(ask(), HasSubstr("2 of the budget of 10 are left")) << "an epoch takes 4 s";
}

TEST_F(StudyTest, WhatRunsCountsAsSpent) {
  begin("utility: {alpha: 0}\nlimits: {cost: 3, workers: 3}");
  const Train a = train(), b = train();
  EXPECT_EQ(a.to + b.to, 3U) << "two steps, then the one that is left";
  EXPECT_THAT(ask(), HasSubstr("wait: nothing more is worth it"));
}

TEST_F(StudyTest, TheWallLimitCountsNeitherDowntimeNorSleep) {
  begin("limits: {wall: 100 s}");
  clock_.advance(40);
  ASSERT_TRUE(study_->tick().ok());
  EXPECT_EQ(study_->wall_left(), 60.0);
  study_.reset();
  clock_.advance(1e6);
  reopen();
  EXPECT_EQ(study_->wall_left(), 60.0);
  clock_.set_wall(-1e9);
  clock_.advance(1e6);
  ASSERT_TRUE(study_->tick().ok());
  EXPECT_EQ(study_->wall_left(), 0.0 + 60.0 - kLongestGap) << "a jump counts as a minute";
  EXPECT_THAT(ask(), HasSubstr("wall limit"));
}

TEST_F(StudyTest, WishesOfOthers) {
  begin("limits: {wall: 100 s}");
  ASSERT_TRUE(storage_.set_wish(Wish::kPause).ok());
  EXPECT_EQ(ask(), "wait: paused");
  EXPECT_EQ(storage_.study().value()->state, StudyState::kPaused);
  clock_.advance(50);
  EXPECT_EQ(ask(), "wait: paused");
  EXPECT_EQ(study_->wall_left(), 100.0) << "a pause costs nothing";
  ASSERT_TRUE(storage_.set_wish(Wish::kRun).ok());
  EXPECT_EQ(ask(), "train");
  ASSERT_TRUE(storage_.set_wish(Wish::kStop).ok());
  EXPECT_EQ(ask(), "stop: you asked for it");
  reopen();
  EXPECT_EQ(ask(), "train") << "the same command goes on";
}

TEST_F(StudyTest, EnqueuedConfigurationsComeNext) {
  begin();
  finish(train());
  const Json six = {{"width", 6}}, five = {{"width", 5}};
  ASSERT_TRUE(storage_.enqueue(six).ok());
  ASSERT_TRUE(storage_.enqueue(five).ok());
  const Train next = train();
  EXPECT_EQ(next.parameters, six);
  EXPECT_EQ(study_->facts().trials().size(), 8U) << "an equal configuration is the same trial";
  EXPECT_EQ(trial(next.trial).origin, TrialOrigin::kEnqueued);
  EXPECT_EQ(trial(0).origin, TrialOrigin::kDefault);
  EXPECT_TRUE(storage_.queue().value().empty());
}

TEST_F(StudyTest, AnEnqueuedConfigurationMayBeOutsideOfThePool) {
  begin();
  text_.replace(text_.find("pool: 8"), 7, "pool: 3");
  storage_ = MemoryStorage();
  reopen();
  finish(train());
  std::set<int> missing = {1, 2, 3, 4, 5, 6, 7, 8};
  for (const Trial& trial : study_->facts().trials()) missing.erase(trial.parameters["width"]);
  ASSERT_EQ(missing.size(), 5U);
  ASSERT_TRUE(storage_.enqueue({{"width", *missing.begin()}}).ok());
  EXPECT_EQ(train().trial, 3U);
  reopen();
  EXPECT_EQ(study_->facts().trials().size(), 4U);
}

TEST_F(StudyTest, SlicesGrowUntilStartUpDoesNotDominate) {
  begin();
  const Train first = train();
  report(first, 1, 0.5, 11.0);
  report(first, 2, 0.5, 1.0);
  end(first);
  const CostModel costs =
      cost_model(study_->facts(), encode_pool(study_->file(), study_->facts()).value());
  EXPECT_EQ(costs.startup_seconds, 10.0);
  EXPECT_EQ(costs.wanted_steps(1), 30U);
  const Train second = train();
  EXPECT_EQ(second.to - second.from, 2U) << "but not beyond the best horizon";
  for (uint32_t step = 1; step <= 2; ++step) report(second, step, 0.5, 1.0);
  end(second);
}

TEST_F(StudyTest, WithoutStartUpSlicesAreShort) {
  begin();
  const Train first = train();
  report(first, 1, 0.5, 1.0);
  report(first, 2, 0.5, 1.0);
  end(first);
  const Train second = train();
  EXPECT_EQ(second.to - second.from, 1U);
}

TEST_F(StudyTest, StopsByTheUtilityOnlyWhenNothingRuns) {
  begin("utility: {alpha: 0.1}\nlimits: {workers: 2}");
  // Never worth it: the chance is 0 and the utility falls.
  factory_ = [](const decide::Utility&, const decide::Budget&) {
    class Hopeless : public LeastTrained {
      Result<decide::Choice> choose(const decide::History& history) override {
        CMBO_TRY(decide::Choice choice, LeastTrained::choose(history));
        choice.probability = 0.0;
        return choice;
      }
    };
    return Result<std::unique_ptr<decide::Policy>>(std::make_unique<Hopeless>());
  };
  reopen();
  const Train a = train(), b = train();
  finish(a);
  EXPECT_THAT(ask(), HasSubstr("wait: nothing more is worth it"));
  finish(b, 0.4);
  EXPECT_THAT(ask(), HasSubstr("stop: the utility is"));
  EXPECT_EQ(storage_.study().value()->state, StudyState::kStopped);
  EXPECT_EQ(storage_.decisions().value().back().what["stop"], true);
}

TEST_F(StudyTest, TheWinnerIsFinishedOnRequest) {
  begin("limits: {epochs: 2}");
  finish(train());
  EXPECT_THAT(ask(), HasSubstr("stop: the limit of 2 epochs"));
  const Train rest = std::get<Train>(study_->finish(0).value());
  EXPECT_EQ(rest.from, 2U);
  EXPECT_EQ(rest.to, 4U);
  EXPECT_EQ(said(study_->finish(0).value()), "wait: it is being trained");
  finish(rest);
  EXPECT_EQ(state(0), TrialState::kDone);
  EXPECT_EQ(said(study_->finish(0).value()), "stop: trial 0 is done");
  EXPECT_FALSE(study_->finish(99).ok());
}

TEST_F(StudyTest, ALostCheckpointDropsItsTrial) {
  begin();
  finish(train());
  ASSERT_TRUE(study_->set_checkpoint(0, 1000).ok());
  EXPECT_EQ(storage_.trials().value()[0].checkpoint_bytes, 1000U);
  ASSERT_TRUE(study_->set_checkpoint(0, 0).ok());
  EXPECT_EQ(state(0), TrialState::kDropped);
  EXPECT_EQ(study_->facts().steps(0), 2U) << "what was learned stays";
  EXPECT_FALSE(study_->set_checkpoint(99, 0).ok());
}

TEST_F(StudyTest, SaysThatLostCheckpointsAreWhyNothingIsLeft) {
  begin("utility: {alpha: 0}");
  for (uint32_t n = 0; n < 8; ++n) {
    const Train slice = train();
    finish(slice);
    ASSERT_TRUE(study_->set_checkpoint(slice.trial, 1000).ok());
    ASSERT_TRUE(study_->set_checkpoint(slice.trial, 0).ok());
  }
  EXPECT_EQ(ask(),
            "stop: no configuration is left to train: 8 dropped; dropped ones have lost their "
            "checkpoints: raise limits.disk to keep more of them, and pool to go on with other "
            "configurations");
}

TEST_F(StudyTest, ACrashForgetsASecondAtMost) {
  begin("limits: {wall: 100 s}");
  for (int i = 0; i < 30; ++i) {
    clock_.advance(0.1);
    ASSERT_TRUE(study_->tick().ok());
  }
  study_.reset();
  reopen();
  EXPECT_LE(*study_->wall_left(), 98.0);
}

TEST_F(StudyTest, ADiskThatHoldsNoMoreStops) {
  begin("limits: {disk: 1 kB}\ncheckpoints: {evict: false}");
  finish(train());
  ASSERT_TRUE(study_->set_checkpoint(0, 5000).ok());
  EXPECT_THAT(ask(), HasSubstr("limits.disk"));
}

TEST(StudyCrashTest, DyingAtAnyMomentLosesAndRepeatsNothing) {
  const std::string text = small_study("utility: {alpha: 0}\nlimits: {workers: 2, epochs: 21}");
  const StudyFile file = study_file_from_yaml(text).value();
  const auto check = [&](Storage& storage, const FakeTrainings& trainings,
                         const std::string& reason) {
    EXPECT_EQ(reason, "stop: the limit of 21 epochs is reached");
    EXPECT_EQ(trainings.trained(), 21U);
    const Facts facts = Facts::load(storage).value();
    EXPECT_EQ(facts.observations().size(), 21U);
    EXPECT_TRUE(facts.open_slices().empty());
    EXPECT_EQ(standing_of(file, facts).cost, 21.0);
  };
  EXPECT_GT(die_at_every_write(text, check), 100U);
}

}  // namespace
}  // namespace cmbo::study
