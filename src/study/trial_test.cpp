// SPDX-License-Identifier: Apache-2.0
#include "study/trial.h"

#include <array>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>
#include <string>

namespace cmbo::study {
namespace {

constexpr std::array kAll = {TrialState::kNew,    TrialState::kRunning,  TrialState::kFrozen,
                             TrialState::kDone,   TrialState::kDiverged, TrialState::kFailed,
                             TrialState::kDropped};

TEST(TrialTest, TheArrowsAndNoOthers) {
  const std::set<std::string> arrows = {
      "new running",    "running new",     "running frozen", "running done",   "running diverged",
      "running failed", "running dropped", "frozen running", "frozen dropped",
  };
  for (const TrialState from : kAll) {
    for (const TrialState to : kAll) {
      const std::string arrow = std::string(state_name(from)) + " " + std::string(state_name(to));
      EXPECT_EQ(allowed(from, to), arrows.contains(arrow)) << arrow;
    }
  }
}

TEST(TrialTest, AStudyStopsAndMayBeResumed) {
  using enum StudyState;
  for (const auto& [from, to] : {std::pair{kRunning, kPaused},
                                 {kPaused, kRunning},
                                 {kRunning, kStopped},
                                 {kPaused, kStopped},
                                 {kStopped, kRunning}}) {
    EXPECT_TRUE(allowed(from, to)) << state_name(from) << " " << state_name(to);
  }
  for (const auto& [from, to] :
       {std::pair{kStopped, kPaused}, {kStopped, kStopped}, {kRunning, kRunning}}) {
    EXPECT_FALSE(allowed(from, to)) << state_name(from) << " " << state_name(to);
  }
}

TEST(TrialTest, NamesComeBack) {
  for (const TrialState state : kAll) EXPECT_EQ(trial_state_from_name(state_name(state)), state);
  for (const StudyState state : {StudyState::kRunning, StudyState::kPaused, StudyState::kStopped}) {
    EXPECT_EQ(study_state_from_name(state_name(state)), state);
  }
  for (const TrialOrigin o : {TrialOrigin::kDefault, TrialOrigin::kEnqueued, TrialOrigin::kPool}) {
    EXPECT_EQ(trial_origin_from_name(origin_name(o)), o);
  }
  EXPECT_FALSE(trial_state_from_name("thawed"));
}

TEST(TrialTest, MovingReplacesTheNote) {
  Trial trial;
  move_to(trial, TrialState::kRunning);
  move_to(trial, TrialState::kFailed, "no such file");
  EXPECT_EQ(trial.state, TrialState::kFailed);
  EXPECT_EQ(trial.note, "no such file");
}

TEST(TrialDeathTest, AnEndIsAnEnd) {
  Trial trial{.number = 7, .state = TrialState::kDone};
  EXPECT_DEATH(move_to(trial, TrialState::kRunning), "trial 7: from done to running");
}

}  // namespace
}  // namespace cmbo::study
