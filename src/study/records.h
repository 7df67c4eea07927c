// SPDX-License-Identifier: Apache-2.0
//
// The facts that a study is made of, besides its trials (trial.h). All times are seconds; `at` is a
// time stamp since 1970 for people, and never computed with.
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/json.h"
#include "study/trial.h"

namespace cmbo::study {

struct StudyRecord {
  std::string definition = {};  // study.yaml as it was last opened
  double created_at = 0.0;
  StudyState state = StudyState::kRunning;
  std::string reason = {};    // of kStopped
  double wall_seconds = 0.0;  // that it was running, without downtime

  friend bool operator==(const StudyRecord&, const StudyRecord&) = default;
};

// What somebody outside asked of the process that runs the study.
enum class Wish { kRun, kPause, kStop };
std::string_view wish_name(Wish wish);  // "run", "pause", "stop"
std::optional<Wish> wish_from_name(std::string_view name);

// The value of one step of a trial. There is at most one for each (trial, step).
struct Observation {
  uint32_t trial = 0;
  uint32_t step = 0;     // 1..fidelity.max
  double value = 0.0;    // in the metric's own units; NaN = diverged
  double seconds = 0.0;  // since the step before, or since the slice began
  uint64_t slice = 0;    // which reported it
};
// NaN is the same as NaN.
inline bool same_value(double a, double b) {
  return a == b || (std::isnan(a) && std::isnan(b));
}

// How a slice ended.
enum class Outcome {
  kReached,    // at its target
  kDiverged,   // after a value that is not finite
  kPreempted,  // killed or asked to leave: the trial is frozen at its last recorded step
  kFailed,     // the command failed
  kTimedOut,   // it took longer than limits.trial_timeout; counts as failed
  kLost,       // cmbo itself went away meanwhile; like preempted
};
std::string_view outcome_name(Outcome outcome);  // "reached", "diverged", ...
std::optional<Outcome> outcome_from_name(std::string_view name);

// A lease: this trial is being trained from after step `from` up to and including step `to`.
struct Slice {
  uint64_t id = 0;  // from 1, in the order of their start
  uint32_t trial = 0;
  uint32_t from = 0;
  uint32_t to = 0;
  double expected_cost = 0.0;  // in the utility's unit, counted as spent while it runs
  double started_at = 0.0;
  std::optional<Outcome> outcome = {};  // absent = open
  std::string note = {};                // what went wrong
  double seconds = 0.0;                 // of the whole slice, once it ended

  friend bool operator==(const Slice&, const Slice&) = default;
};

// Why a slice was started, or why the study stopped; deliberation.h makes the JSON.
struct DecisionRecord {
  uint64_t id = 0;  // from 1, in their order
  double at = 0.0;
  std::optional<uint32_t> trial = {};  // absent: nothing was trained
  Json what = Json::object();
};

// A configuration that a user wants trained.
struct QueuedConfiguration {
  uint64_t id = 0;  // from 1, in their order
  Json parameters = Json::object();
};

}  // namespace cmbo::study
