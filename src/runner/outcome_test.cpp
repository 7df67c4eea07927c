// SPDX-License-Identifier: Apache-2.0
#include "runner/outcome.h"

#include <csignal>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cmbo::runner {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr Exit kClean = {};

SliceEnd end_at(uint64_t step, Exit exit, StopCause cause = StopCause::kNone) {
  SliceEnd end;
  end.exit = exit;
  end.cause = cause;
  end.last_step = step;
  end.target_step = 5;
  end.seconds = 12.5;
  end.stderr_tail = "Traceback\nValueError";
  return end;
}

TEST(OutcomeTest, TheTargetCountsHoweverTheProcessEnds) {
  EXPECT_EQ(judge_end(end_at(5, kClean)).outcome, Outcome::kReached);
  EXPECT_EQ(judge_end(end_at(5, kClean)).text, "");
  const Judgement failed = judge_end(end_at(5, {.code = 1}));
  EXPECT_EQ(failed.outcome, Outcome::kReached);
  EXPECT_THAT(failed.text, AllOf(HasSubstr("exited with code 1 after it had reported its target"),
                                 HasSubstr("ValueError")));
  EXPECT_EQ(judge_end(end_at(5, {.signal = SIGKILL})).outcome, Outcome::kReached);
  for (const StopCause cause : {StopCause::kFreeze, StopCause::kOverrun, StopCause::kTimeout}) {
    EXPECT_EQ(judge_end(end_at(5, {.signal = SIGTERM}, cause)).text, "") << "we did it";
  }
}

TEST(OutcomeTest, PreemptedIsNeverFailed) {
  for (const Exit exit : {Exit{.code = 75}, Exit{.signal = SIGKILL}, Exit{.signal = SIGTERM},
                          Exit{.signal = SIGHUP}, Exit{.code = 128 + SIGKILL}}) {
    EXPECT_EQ(judge_end(end_at(3, exit)).outcome, Outcome::kPreempted) << exit.code << exit.signal;
  }
  EXPECT_EQ(judge_end(end_at(3, {.code = 137})).text,
            "the training was ended by SIGKILL at step 3 of 5; it goes on from there when it is "
            "thawed");
  EXPECT_EQ(judge_end(end_at(3, kClean, StopCause::kFreeze)).outcome, Outcome::kPreempted);
  EXPECT_EQ(judge_end(end_at(3, {.code = 1}, StopCause::kFreeze)).text, "frozen at step 3 of 5");
}

TEST(OutcomeTest, Failures) {
  const Judgement early = judge_end(end_at(3, kClean));
  EXPECT_EQ(early.outcome, Outcome::kFailed);
  EXPECT_THAT(early.text, AllOf(HasSubstr("ended early at step 3 of 5"), HasSubstr("from 1")));
  const Judgement code = judge_end(end_at(3, {.code = 2}));
  EXPECT_EQ(code.outcome, Outcome::kFailed);
  EXPECT_EQ(code.text,
            "the training exited with code 2 at step 3 of 5; the end of its stderr:\n"
            "Traceback\nValueError");
  SliceEnd silent = end_at(3, {.code = 2});
  silent.stderr_tail.clear();
  EXPECT_THAT(judge_end(silent).text, HasSubstr("wrote nothing to stderr"));
  EXPECT_THAT(judge_end(end_at(0, {.code = 127})).text, HasSubstr("no such program"));
  EXPECT_THAT(judge_end(end_at(0, {.code = 126})).text, HasSubstr("not executable"));
  for (const Exit exit : {Exit{.signal = SIGSEGV}, Exit{.code = 128 + SIGABRT}}) {
    EXPECT_EQ(judge_end(end_at(3, exit)).outcome, Outcome::kFailed) << "its own mistake";
  }
  EXPECT_THAT(judge_end(end_at(3, {.signal = SIGSEGV})).text, HasSubstr("was ended by SIGSEGV"));
  EXPECT_EQ(judge_end(end_at(3, kClean, StopCause::kOverrun)).outcome, Outcome::kFailed);
}

TEST(OutcomeTest, DivergedAndTimedOut) {
  SliceEnd diverged = end_at(3, {.code = 1});
  diverged.diverged = true;
  EXPECT_EQ(judge_end(diverged).outcome, Outcome::kDiverged);
  EXPECT_EQ(judge_end(diverged).text, "the value of step 3 is not finite");
  const Judgement late = judge_end(end_at(3, {.signal = SIGTERM}, StopCause::kTimeout));
  EXPECT_EQ(late.outcome, Outcome::kTimedOut);
  EXPECT_THAT(late.text, HasSubstr("at step 3 of 5 after 12.5 s"));
}

TEST(OutcomeTest, Names) {
  EXPECT_EQ(outcome_name(Outcome::kReached), "reached");
  EXPECT_EQ(outcome_name(Outcome::kPreempted), "preempted");
  EXPECT_EQ(outcome_name(Outcome::kFailed), "failed");
  EXPECT_EQ(outcome_name(Outcome::kTimedOut), "timed out");
  EXPECT_EQ(outcome_name(Outcome::kDiverged), "diverged");
}

}  // namespace
}  // namespace cmbo::runner
