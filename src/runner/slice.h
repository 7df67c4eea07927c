// SPDX-License-Identifier: Apache-2.0
//
// A slice: one configuration is trained from one step to a later one. What a training is told, and
// what is heard from it.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <variant>

#include "base/file_system.h"
#include "base/json.h"

namespace cmbo::runner {

struct SliceRequest {
  uint64_t slice = 0;            // a number of the caller's, in every event; never used twice
  uint64_t trial = 0;            // the configuration
  Json params = Json::object();  // its active hyperparameters
  Path directory;                // of the trial (trial_directory.h); created if it is not there
  uint64_t start_step = 0;       // the last step that was reported before; 0 = fresh
  uint64_t target_step = 1;      // > start_step: stop after it
  uint64_t max_step = 1;         // >= target_step: the horizon, for schedules
  uint64_t seed = 0;             // the same in every slice of a trial
  std::string gpu = {};          // for CUDA_VISIBLE_DEVICES; empty = as it is in our environment
  double timeout_seconds = std::numeric_limits<double>::infinity();  // for the whole slice
};

// What a training says of one step. That it says so means that its checkpoint of this step is
// saved: a training may be ended at any moment, and goes on from the last step that it reported.
struct Report {
  uint64_t step = 0;   // 0 = the value before training
  double value = 0.0;  // of the study's metric; not finite = diverged here

  bool operator==(const Report&) const = default;
};

enum class Outcome {
  kReached,    // the target: frozen
  kPreempted,  // ended by a signal, by us or with exit code 75: to be thawed from last_step
  kFailed,     // anything else; the text says what, with the end of stderr
  kTimedOut,   // by SliceRequest::timeout_seconds
  kDiverged,   // a value was not finite
};

std::string_view outcome_name(Outcome outcome);  // "reached", "preempted", ...

struct ReportEvent {
  uint64_t slice = 0;
  Report report;
  double seconds_since_start = 0.0;  // of the slice
  double seconds = 0.0;              // since the report before, or since the start
};

// Something is wrong with what the training says, but it goes on.
struct ComplaintEvent {
  uint64_t slice = 0;
  std::string text;               // with the remedy
  std::optional<Report> refused;  // a report that is well formed, but does not count
  double seconds_since_start = 0.0;
};

struct EndedEvent {
  uint64_t slice = 0;
  Outcome outcome = Outcome::kReached;
  uint64_t last_step = 0;  // the last that counts; the request's start if none was reported
  double seconds = 0.0;    // from the start of the slice to its end
  // From the start to the first report without the training of that first step. Known only if
  // several steps were reported, because it takes their pace for the first step's too.
  std::optional<double> startup_seconds;
  std::string text;  // why, with the remedy; empty if reached without remarks
};

// In the order in which they happened; the last of a slice is its EndedEvent.
using Event = std::variant<ReportEvent, ComplaintEvent, EndedEvent>;

}  // namespace cmbo::runner
