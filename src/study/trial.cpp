// SPDX-License-Identifier: Apache-2.0
#include "study/trial.h"

#include <fmt/format.h>
#include <utility>

#include "base/check.h"
#include "study/names.h"

namespace cmbo::study {

namespace {

constexpr Names<TrialState, 7> kTrialStates = {{{
    {TrialState::kNew, "new"},
    {TrialState::kRunning, "running"},
    {TrialState::kFrozen, "frozen"},
    {TrialState::kDone, "done"},
    {TrialState::kDiverged, "diverged"},
    {TrialState::kFailed, "failed"},
    {TrialState::kDropped, "dropped"},
}}};

constexpr Names<StudyState, 3> kStudyStates = {{{
    {StudyState::kRunning, "running"},
    {StudyState::kPaused, "paused"},
    {StudyState::kStopped, "stopped"},
}}};

constexpr Names<TrialOrigin, 4> kTrialOrigins = {{{
    {TrialOrigin::kDefault, "default"},
    {TrialOrigin::kEnqueued, "enqueued"},
    {TrialOrigin::kPool, "pool"},
    {TrialOrigin::kRefined, "refined"},
}}};

}  // namespace

std::string_view state_name(TrialState state) {
  return kTrialStates.name(state);
}
std::optional<TrialState> trial_state_from_name(std::string_view name) {
  return kTrialStates.value(name);
}
std::string_view state_name(StudyState state) {
  return kStudyStates.name(state);
}
std::optional<StudyState> study_state_from_name(std::string_view name) {
  return kStudyStates.value(name);
}
std::string_view origin_name(TrialOrigin origin) {
  return kTrialOrigins.name(origin);
}
std::optional<TrialOrigin> trial_origin_from_name(std::string_view name) {
  return kTrialOrigins.value(name);
}

bool comes_first(TrialOrigin origin) {
  return origin == TrialOrigin::kDefault || origin == TrialOrigin::kEnqueued;
}

bool is_open(TrialState state) {
  return state == TrialState::kNew || state == TrialState::kFrozen;
}

bool allowed(TrialState from, TrialState to) {
  switch (from) {
    case TrialState::kNew:
      return to == TrialState::kRunning;
    case TrialState::kRunning:
      return to != TrialState::kRunning;
    case TrialState::kFrozen:
      return to == TrialState::kRunning || to == TrialState::kDropped;
    default:
      return false;  // the others are ends
  }
}

bool allowed(StudyState from, StudyState to) {
  if (from == StudyState::kStopped) return to == StudyState::kRunning;
  return from != to;
}

void move_to(Trial& trial, TrialState state, std::string note) {
  CHECK(allowed(trial.state, state), fmt::format("trial {}: from {} to {}", trial.number,
                                                 state_name(trial.state), state_name(state)));
  trial.state = state;
  trial.note = std::move(note);
}

}  // namespace cmbo::study
