// SPDX-License-Identifier: Apache-2.0
//
// With real processes: shells as trainings.
#include "runner/runner.h"

#include <algorithm>
#include <cmath>
#include <csignal>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include "runner/training_testing.h"

namespace cmbo::runner {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class RunnerTest : public RunnerFixture {};

TEST_F(RunnerTest, ASliceAndItsThaw) {
  make(training());
  const Story& first = run(3, 0, 2);
  EXPECT_THAT(first.steps, ElementsAre(1, 2));
  EXPECT_EQ(outcome_of(first), Outcome::kReached);
  EXPECT_EQ(first.end->text, "");
  EXPECT_EQ(first.end->last_step, 2U);
  const Story& second = run(3, 2, 3);
  EXPECT_THAT(second.steps, ElementsAre(3));
  EXPECT_EQ(outcome_of(second), Outcome::kReached);
  EXPECT_EQ(second.complaints, "");
  EXPECT_EQ(log_of(3, "checkpoint/step"), "3\n");
  EXPECT_THAT(log_of(3, "stdout.log"),
              AllOf(HasSubstr("slice 1, steps 1 to 2"), HasSubstr("slice 2, steps 3 to 3")));
}

TEST_F(RunnerTest, ReportsInTheFileOfTheSliceOnly) {
  make(
      "for i in $(seq $((CMBO_START_STEP + 1)) $CMBO_TARGET_STEP); do "
      "echo \"{\\\"epoch\\\": $i, \\\"acc\\\": 1}\" >> $CMBO_REPORT; done");
  EXPECT_THAT(run(1, 0, 2).steps, ElementsAre(1, 2));
  std::ofstream(directory_ / "trials/1/report.jsonl", std::ios::app) << "{\"epoch\": 3, ";
  const Story& second = run(1, 2, 4);
  EXPECT_THAT(second.steps, ElementsAre(3, 4));
  EXPECT_EQ(second.complaints, "") << "what the first slice left does not matter";
}

TEST_F(RunnerTest, SecondsAndStartUp) {
  make("wait_for() { while [ ! -e $CMBO_CHECKPOINT_DIR/$1 ]; do sleep 0.01; done; }\n" +
       training("wait_for $step"));
  const Path checkpoint = directory_ / "trials/1/checkpoint";
  ASSERT_TRUE(runner_->start(request(1, 0, 3)).ok());
  std::vector<ReportEvent> reports;
  std::optional<EndedEvent> end;
  for (const double seconds : {7.0, 2.0, 2.0}) {
    clock_.advance(seconds);
    write_text(checkpoint / std::to_string(reports.size() + 1), "");
    const size_t before = reports.size();
    ASSERT_TRUE(eventually([&] {
      for (const Event& event : runner_->poll(0.01)) {
        if (const auto* report = std::get_if<ReportEvent>(&event)) reports.push_back(*report);
        if (const auto* ended = std::get_if<EndedEvent>(&event)) end = *ended;
      }
      return reports.size() > before;
    }));
  }
  EXPECT_EQ(reports[0].seconds, 7.0);
  EXPECT_EQ(reports[1].seconds, 2.0);
  EXPECT_EQ(reports[2].seconds_since_start, 11.0);
  EXPECT_EQ(reports[2].report, (Report{3, 0.3}));
  ASSERT_TRUE(eventually([&] {
    for (const Event& event : runner_->poll(0.01)) end = std::get<EndedEvent>(event);
    return end.has_value();
  }));
  EXPECT_EQ(end->startup_seconds, 5.0);
  EXPECT_EQ(end->seconds, 11.0);
}

TEST_F(RunnerTest, OneStepDoesNotTellTheStartUp) {
  make(training());
  EXPECT_FALSE(run(1, 0, 1).end->startup_seconds.has_value());
}

TEST_F(RunnerTest, ManyAtATime) {
  make(training("sleep 0.02"), {.workers = 12});
  std::vector<uint64_t> slices;
  for (uint64_t trial = 0; trial < 12; ++trial) {
    const SliceRequest slice = request(trial, 0, 2);
    EXPECT_EQ(runner_->free_workers(), 12 - trial);
    ASSERT_TRUE(runner_->start(slice).ok());
    slices.push_back(slice.slice);
  }
  EXPECT_EQ(runner_->free_workers(), 0U);
  for (const uint64_t slice : slices) {
    EXPECT_THAT(await(slice).steps, ElementsAre(1, 2));
    EXPECT_EQ(outcome_of(story(slice)), Outcome::kReached);
  }
  EXPECT_EQ(runner_->free_workers(), 12U);
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1) << "no zombie stays";
}

TEST_F(RunnerTest, KilledOrSentAwayIsPreempted) {
  make(training("[ $step = 2 ] && kill -9 $$"));
  const Story& killed = run(1, 0, 3);
  EXPECT_THAT(killed.steps, ElementsAre(1));
  EXPECT_EQ(outcome_of(killed), Outcome::kPreempted);
  EXPECT_EQ(killed.end->last_step, 1U);
  make(training("[ $step = 2 ] && exit 75"));
  EXPECT_EQ(outcome_of(run(2, 0, 3)), Outcome::kPreempted);
}

TEST_F(RunnerTest, FailuresCarryTheEndOfStderr) {
  make(
      training("[ $step = 2 ] && { head -c 1000000 /dev/zero | tr '\\0' 'x' >&2; echo >&2; "
               "echo 'out of luck' >&2; exit 3; }"));
  const Story& failed = run(1, 0, 3);
  EXPECT_EQ(outcome_of(failed), Outcome::kFailed);
  EXPECT_THAT(failed.end->text, AllOf(HasSubstr("exited with code 3 at step 1 of 3"),
                                      testing::EndsWith("out of luck")));
  EXPECT_LT(failed.end->text.size(), 3000U);
  make("exit 1");
  EXPECT_THAT(run(1, 1, 3).end->text, HasSubstr("wrote nothing to stderr")) << "of this slice";
  make("exit 0");
  EXPECT_THAT(run(2, 0, 3).end->text, HasSubstr("ended early at step 0 of 3"));
}

TEST_F(RunnerTest, AFailureAfterTheTargetIsToldButCounts) {
  make("echo '@cmbo {\"step\": 1, \"acc\": 1}'; echo oops >&2; exit 1");
  const Story& story = run(1, 0, 1);
  EXPECT_EQ(outcome_of(story), Outcome::kReached);
  EXPECT_THAT(story.end->text, AllOf(HasSubstr("after it had reported"), HasSubstr("oops")));
}

TEST_F(RunnerTest, NotFoundAndNotExecutable) {
  const auto start = [&](const Json& command) {
    runner_.emplace(Command::from_json(command, {}).value(), ReportRules{.metric = "acc"},
                    RunnerOptions{}, real_file_system(), clock_);
    return runner_->start(request(1, 0, 1));
  };
  EXPECT_THAT(start(Json{"cmbo-no-such-program"}).error().message(),
              HasSubstr("cmbo-no-such-program: cannot be executed"));
  EXPECT_EQ(runner_->free_workers(), 1U);
  EXPECT_THAT(runner_->poll(0), IsEmpty());
  EXPECT_TRUE(start("cmbo-no-such-program").ok()) << "the shell finds out";
  const auto events = [&] {
    std::vector<Event> all;
    CHECK(eventually([&] { return !(all = runner_->poll(0.05)).empty(); }), "no event");
    return all;
  }();
  EXPECT_THAT(std::get<EndedEvent>(events.back()).text, HasSubstr("no such program"));
}

TEST_F(RunnerTest, AHangingTrainingIsEndedByItsTimeout) {
  make(training("[ $step = 2 ] && sleep 1000"));
  SliceRequest slow = request(1, 0, 3);
  slow.timeout_seconds = 3600;
  ASSERT_TRUE(runner_->start(slow).ok());
  await_step(slow.slice, 1);
  clock_.advance(3599);
  EXPECT_THAT(runner_->poll(0.02), IsEmpty());
  clock_.advance(2);
  const Story& story = await(slow.slice);
  EXPECT_EQ(outcome_of(story), Outcome::kTimedOut);
  EXPECT_EQ(story.end->last_step, 1U);
  EXPECT_THAT(story.end->text, HasSubstr("at step 1 of 3 after 3.6e+03 s"));
}

TEST_F(RunnerTest, WhoIgnoresSigtermIsKilled) {
  make("trap '' TERM; echo '@cmbo {\"step\": 1, \"acc\": 1}'; while :; do sleep 0.05; done");
  SliceRequest slow = request(1, 0, 3);
  slow.timeout_seconds = 10;
  ASSERT_TRUE(runner_->start(slow).ok());
  await_step(slow.slice, 1);
  clock_.advance(11);
  EXPECT_THAT(runner_->poll(0.05), IsEmpty()) << "SIGTERM is ignored, the grace is not over";
  clock_.advance(21);
  EXPECT_EQ(outcome_of(await(slow.slice)), Outcome::kTimedOut);
}

TEST_F(RunnerTest, GrandchildrenEndWithTheSlice) {
  make("sleep 1000 & echo $! > $CMBO_CHECKPOINT_DIR/pid\n" + training());
  EXPECT_EQ(outcome_of(run(1, 0, 1)), Outcome::kReached);
  const auto sleeper = static_cast<pid_t>(std::stoi(log_of(1, "checkpoint/pid")));
  EXPECT_TRUE(eventually([&] { return !is_running(sleeper); }));
}

TEST_F(RunnerTest, AGrandchildThatSavesHasTheGraceToo) {
  // The shell dies of SIGTERM at once, while the training behind it still saves.
  write_text(directory_ / "save.sh",
             "trap 'sleep 0.1; echo saved > $CMBO_CHECKPOINT_DIR/saved; exit 0' TERM\n"
             "echo '@cmbo {\"step\": 1, \"acc\": 1}'; while :; do sleep 0.01; done");
  make("/bin/sh " + (directory_ / "save.sh").string() + " | cat; true");
  const SliceRequest slice = request(1, 0, 5);
  ASSERT_TRUE(runner_->start(slice).ok());
  await_step(slice.slice, 1);
  note(runner_->freeze_all());
  EXPECT_EQ(outcome_of(story(slice.slice)), Outcome::kPreempted);
  EXPECT_EQ(log_of(1, "checkpoint/saved"), "saved\n");
}

TEST_F(RunnerTest, AHalfLineWaits) {
  make(
      "printf '@cmbo {\"step\": 1, \"ac'; while [ ! -e $CMBO_CHECKPOINT_DIR/go ]; do sleep 0.01; "
      "done; printf 'c\": 1}\\n'");
  const SliceRequest slice = request(1, 0, 1);
  ASSERT_TRUE(runner_->start(slice).ok());
  ASSERT_TRUE(eventually([&] {
    note(runner_->poll(0.01));
    return log_of(1, "stdout.log").ends_with("\"ac");
  }));
  EXPECT_THAT(story(slice.slice).steps, IsEmpty());
  write_text(directory_ / "trials/1/checkpoint/go", "");
  EXPECT_THAT(await(slice.slice).steps, ElementsAre(1));
  EXPECT_EQ(story(slice.slice).complaints, "");
}

TEST_F(RunnerTest, DivergedIsEnded) {
  make("echo '@cmbo {\"step\": 1, \"acc\": NaN}'; sleep 1000");
  const Story& story = run(1, 0, 5);
  EXPECT_THAT(story.steps, ElementsAre(1));
  EXPECT_EQ(outcome_of(story), Outcome::kDiverged);
  make("echo '@cmbo {\"step\": 1, \"acc\": inf}'; exit 1");
  EXPECT_EQ(outcome_of(run(2, 0, 5)), Outcome::kDiverged);
}

TEST_F(RunnerTest, WhoTrainsBeyondTheTargetIsEnded) {
  make("for i in 1 2 3; do echo \"@cmbo {\\\"step\\\": $i, \\\"acc\\\": 1}\"; done; sleep 1000");
  const Story& story = run(1, 0, 2);
  EXPECT_THAT(story.steps, ElementsAre(1, 2));
  EXPECT_EQ(outcome_of(story), Outcome::kReached);
  EXPECT_THAT(story.complaints, HasSubstr("step 3 was reported, but the target is 2"));
}

TEST_F(RunnerTest, WhoStaysAfterTheTargetIsEnded) {
  make("echo '@cmbo {\"step\": 1, \"acc\": 1}'; sleep 1000");
  const SliceRequest slice = request(1, 0, 1);
  ASSERT_TRUE(runner_->start(slice).ok());
  await_step(slice.slice, 1);
  EXPECT_THAT(runner_->poll(0.02), IsEmpty());
  clock_.advance(21);
  EXPECT_EQ(outcome_of(await(slice.slice)), Outcome::kReached);
}

TEST_F(RunnerTest, FreezeAll) {
  make(training("[ $step = 2 ] && sleep 1000"), {.workers = 2, .grace_seconds = 20});
  const SliceRequest a = request(1, 0, 5), b = request(2, 0, 5);
  ASSERT_TRUE(runner_->start(a).ok());
  ASSERT_TRUE(runner_->start(b).ok());
  await_step(a.slice, 1);
  await_step(b.slice, 1);
  note(runner_->freeze_all());
  for (const uint64_t slice : {a.slice, b.slice}) {
    EXPECT_EQ(outcome_of(story(slice)), Outcome::kPreempted);
    EXPECT_EQ(story(slice).end->text, "frozen at step 1 of 5");
  }
  EXPECT_EQ(runner_->free_workers(), 2U);
  make(training());
  EXPECT_THAT(run(1, 1, 3).steps, ElementsAre(2, 3));
}

TEST_F(RunnerTest, TheTrainingSeesItsParametersAndGpu) {
  make("cat $CMBO_PARAMS; echo \"gpu $CUDA_VISIBLE_DEVICES seed $CMBO_SEED\"; exit 1");
  SliceRequest slice = request(1, 0, 1);
  slice.params = Json{{"lr", 0.5}};
  slice.gpu = "3";
  slice.seed = 11;
  run(slice);
  EXPECT_THAT(log_of(1, "stdout.log"),
              AllOf(HasSubstr("\"lr\": 0.5"), HasSubstr("gpu 3 seed 11\n")));
}

}  // namespace
}  // namespace cmbo::runner
