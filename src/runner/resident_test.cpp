// SPDX-License-Identifier: Apache-2.0
//
// With real processes: shells as trainings that stay between slices.
#include <csignal>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include "runner/training_testing.h"

namespace cmbo::runner {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class ResidentTest : public RunnerFixture {
 protected:
  void make_resident(const std::string& script, size_t max_waiting = 2) {
    make(script, {.mode = Mode::kResident, .max_waiting = max_waiting, .grace_seconds = 20});
  }
  std::string started(uint64_t trial) { return log_of(trial, "checkpoint/started"); }
};

const std::string kNoteStart = "echo $$ >> $CMBO_CHECKPOINT_DIR/started\n";

TEST_F(ResidentTest, OneProcessForManySlices) {
  make_resident(kNoteStart + training());
  EXPECT_THAT(run(1, 0, 2).steps, ElementsAre(1, 2));
  EXPECT_EQ(runner_->free_workers(), 1U);
  const std::string pid = started(1);
  EXPECT_THAT(run(1, 2, 3).steps, ElementsAre(3));
  const Story& third = run(1, 3, 5);
  EXPECT_THAT(third.steps, ElementsAre(4, 5));
  EXPECT_EQ(outcome_of(third), Outcome::kReached);
  EXPECT_EQ(started(1), pid);
  EXPECT_THAT(runner_->freeze_all(), IsEmpty());
  EXPECT_FALSE(is_running(static_cast<pid_t>(std::stoi(pid)))) << "it left";
}

TEST_F(ResidentTest, AnotherStepOrGpuNeedsAnotherProcess) {
  make_resident(kNoteStart + training());
  run(1, 0, 2);
  EXPECT_THAT(run(1, 1, 3).steps, ElementsAre(2, 3)) << "its checkpoint was restored from step 1";
  SliceRequest other = request(1, 3, 4);
  other.gpu = "1";
  EXPECT_THAT(run(other).steps, ElementsAre(4));
  const std::string pids = started(1);
  EXPECT_EQ(std::count(pids.begin(), pids.end(), '\n'), 3);
}

TEST_F(ResidentTest, WhoDiesWhileItWaitsIsThawedAnew) {
  make_resident(kNoteStart + training());
  run(1, 0, 1);
  ::kill(static_cast<pid_t>(std::stoi(started(1))), SIGKILL);
  EXPECT_THAT(run(1, 1, 2).steps, ElementsAre(2)) << "whether or not we had noticed";
  EXPECT_EQ(outcome_of(run(1, 2, 3)), Outcome::kReached);
}

TEST_F(ResidentTest, AScriptThatKnowsOnlySlices) {
  make_resident("CMBO_RESIDENT=0\n" + training());
  for (uint64_t step = 0; step < 5; ++step) {
    const Story& story = run(1, step, step + 1);
    EXPECT_EQ(outcome_of(story), Outcome::kReached) << story.end->text;
  }
}

TEST_F(ResidentTest, AFailureInALaterSlice) {
  make_resident(training("[ $step = 2 ] && { echo oops >&2; exit 4; }"));
  run(1, 0, 1);
  const Story& story = run(1, 1, 2);
  EXPECT_EQ(outcome_of(story), Outcome::kFailed);
  EXPECT_THAT(story.end->text, HasSubstr("oops"));
}

TEST_F(ResidentTest, TheLeastRecentlyUsedIsClosed) {
  make_resident(kNoteStart + training(), 2);
  run(1, 0, 1);
  run(2, 0, 1);
  run(1, 1, 2);
  run(3, 0, 1);
  const auto second = static_cast<pid_t>(std::stoi(started(2)));
  EXPECT_TRUE(eventually([&] {
    note(runner_->poll(0));
    return !is_running(second);
  }));
  for (const uint64_t trial : {1, 3}) {
    EXPECT_TRUE(is_running(static_cast<pid_t>(std::stoi(started(trial)))));
  }
  EXPECT_THAT(run(2, 1, 2).steps, ElementsAre(2)) << "in a new process";
}

TEST_F(ResidentTest, WhoGoesOnUnaskedIsEnded) {
  make_resident(kNoteStart +
                "for i in 1 2; do echo \"@cmbo {\\\"step\\\": $i, \\\"acc\\\": 1}\"; "
                "sleep 0.1; done; sleep 1000");
  const Story& story = run(1, 0, 1);
  EXPECT_EQ(outcome_of(story), Outcome::kReached);
  const auto training = static_cast<pid_t>(std::stoi(started(1)));
  EXPECT_TRUE(eventually([&] {
    note(runner_->poll(0));
    return !is_running(training);
  }));
  EXPECT_THAT(story.complaints, HasSubstr("the target is 1"));
}

TEST_F(ResidentTest, FreezeAllEndsTrainingAndWaitingOnes) {
  make(training("[ $step = 3 ] && sleep 1000"),
       {.mode = Mode::kResident, .workers = 2, .grace_seconds = 20});
  run(1, 0, 1);
  const SliceRequest slice = request(2, 0, 5);
  ASSERT_TRUE(runner_->start(slice).ok());
  await_step(slice.slice, 2);
  note(runner_->freeze_all());
  EXPECT_EQ(outcome_of(story(slice.slice)), Outcome::kPreempted);
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1);
}

}  // namespace
}  // namespace cmbo::runner
