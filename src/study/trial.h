// SPDX-License-Identifier: Apache-2.0
//
// A trial is one configuration of the pool and its whole life: an equal configuration is the same
// trial. Its number is its place in the pool, the `configuration` of decide/.
//
//   new -> running -> frozen <-> running -> done | diverged | failed | dropped
//   study: running <-> paused, both -> stopped -> running (resumed, e.g. with other limits)
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/json.h"
#include "base/result.h"

namespace cmbo::study {

enum class TrialState {
  kNew,       // never trained
  kRunning,   // has an open slice
  kFrozen,    // trained for a while, can be thawed
  kDone,      // trained up to the horizon
  kDiverged,  // reported a value that is not finite; stays in the data
  kFailed,    // its command failed; the note says how
  kDropped,   // will not go on: its checkpoint was evicted or lost
};

// Why a trial is in the pool.
enum class TrialOrigin {
  kDefault,   // made of the parameters' defaults
  kEnqueued,  // somebody asked for it
  kPool,      // of the first pool
  kRefined,   // added later, near the best ones
};

enum class StudyState { kRunning, kPaused, kStopped };

std::string_view state_name(TrialState state);  // "new", "running", ...
std::optional<TrialState> trial_state_from_name(std::string_view name);
std::string_view state_name(StudyState state);
std::optional<StudyState> study_state_from_name(std::string_view name);
std::string_view origin_name(TrialOrigin origin);  // "default", "enqueued", "pool", "refined"
std::optional<TrialOrigin> trial_origin_from_name(std::string_view name);

struct Trial {
  uint32_t number = 0;  // from 0 without gaps
  Json parameters = Json::object();
  TrialOrigin origin = TrialOrigin::kPool;
  TrialState state = TrialState::kNew;
  std::string note = {};                          // why it failed, diverged or was dropped
  std::optional<uint64_t> checkpoint_bytes = {};  // on disk; absent = none

  friend bool operator==(const Trial&, const Trial&) = default;
};

// Whether it is trained before anything is chosen.
bool comes_first(TrialOrigin origin);

// Whether a trial can be trained further.
bool is_open(TrialState state);

// Whether the arrows above allow it; running -> new too: a first slice that ended without a step.
bool allowed(TrialState from, TrialState to);
bool allowed(StudyState from, StudyState to);
// The only place where a trial changes its state. Programmer error if it is not allowed.
void move_to(Trial& trial, TrialState state, std::string note = "");

}  // namespace cmbo::study
