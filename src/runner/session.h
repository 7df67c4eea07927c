// SPDX-License-Identifier: Apache-2.0
//
// One training process, from its start to its end, and the slice that it works on. In resident mode
// one slice after the other, and waiting in between.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "base/clock.h"
#include "base/file_system.h"
#include "runner/command.h"
#include "runner/outcome.h"
#include "runner/process.h"
#include "runner/report_parser.h"
#include "runner/slice.h"
#include "runner/tail.h"
#include "runner/trial_directory.h"

namespace cmbo::runner {

struct SessionOptions {
  bool resident = false;
  double grace_seconds = 30;  // between being asked to leave and being made to
  Path working_directory;     // empty = ours
};

// What the sessions of a runner share; outlives them.
struct SessionContext {
  Command command;
  ReportRules rules;
  SessionOptions options;
  FileSystem& files;
  const Clock& clock;
};

class Session {
 public:
  // With the slice running.
  static Result<std::unique_ptr<Session>> start(const SessionContext& context,
                                                const SliceRequest& request);

  // Gives a waiting process its next slice. False if it cannot take it: it is over or about to be,
  // stands at another step, or has another GPU. The session is of no use then.
  Result<bool> thaw(const SliceRequest& request);

  // Looks what happened since the last time and adds it to `events`.
  void update(std::vector<Event>& events);

  // Ends the slice that runs, or the process that waits, in the time of grace.
  void freeze();

  uint64_t trial() const { return request_.trial; }
  bool is_training() const { return state_ == State::kTraining; }
  bool is_waiting() const { return state_ == State::kWaiting && pressure_ == Pressure::kNone; }
  bool is_over() const { return state_ == State::kOver; }

 private:
  enum class State { kTraining, kWaiting, kOver };
  // What was done to make it leave, each step after the grace of the one before.
  enum class Pressure { kNone, kClosedInput, kTerminated, kKilled };

  // Made before the process, so that nothing it writes is missed.
  struct Channels {
    explicit Channels(const TrialFiles& files);
    Tail output, report_file, errors;
  };

  Session(const SessionContext& context, const SliceRequest& request, Channels channels,
          Process process);

  void hear(bool exited, std::vector<Event>& events);
  void tell(const Heard& heard, std::vector<Event>& events);
  void enforce_rules(std::vector<Event>& events);
  void stop(StopCause cause);
  void press(Pressure pressure);
  void press_on();
  // Whether a process that left while it waited, unnoticed, has a successor now.
  bool replace_process();
  void end_slice(const Judgement& judgement, std::vector<Event>& events);
  SliceEnd slice_end() const;
  std::optional<double> startup_seconds() const;
  double now() const { return context_.clock.monotonic_seconds(); }

  struct Timed {
    uint64_t step = 0;
    double seconds = 0.0;  // since the start of the slice
  };

  const SessionContext& context_;
  SliceRequest request_;
  TrialFiles files_;
  Channels channels_;
  std::optional<Process> process_;  // always there
  ReportParser parser_;
  State state_ = State::kTraining;
  StopCause cause_ = StopCause::kNone;
  Pressure pressure_ = Pressure::kNone;
  double pressed_at_ = 0.0;
  bool thawed_ = false;  // the slice was given to a process that waited
  double began_at_;
  std::vector<Timed> reported_;  // in this slice
};

}  // namespace cmbo::runner
