// SPDX-License-Identifier: Apache-2.0
//
// Runs slices of training on this machine, several at a time:
//
//   runner.start(request);                               // while runner.free_workers() > 0
//   for (const Event& event : runner.poll(1.0)) ...      // slice.h
//   runner.freeze_all();                                 // at the end, or on Ctrl-C
//
// In slice mode a slice is a process: it is told its target (command.h), trains, saves, reports and
// leaves with exit code 0.
//
// In resident mode ($CMBO_RESIDENT is 1) the process stays when it has reported its target and
// reads a line from stdin: {"target_step": 7} means: go on to step 7. The end of stdin means: leave
// with exit code 0. It must save its checkpoint before each report all the same, because it can be
// ended while it waits, or be thawed in a new process.
//
// How a slice ends:
//   exit 0 at the target, or any end after the target was reported     reached
//   exit 0 before it                                                   failed
//   exit 75, a signal from outside (also as 128 + signal of a shell)   preempted
//   a signal for its own mistakes (SIGSEGV, SIGABRT, ...)              failed
//   any other exit code                                                failed, with the end of
//   stderr SIGTERM from us: freeze_all() / timeout / value not finite         preempted / timed out
//   / diverged SIGTERM from us: a step beyond the target was reported             reached, with a
//   complaint
// A report of the target counts even if the process fails afterwards, because a report says that
// the checkpoint is saved; the text of the event tells of the failure.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/file_system.h"
#include "runner/command.h"
#include "runner/report_parser.h"
#include "runner/slice.h"

namespace cmbo::runner {

class Session;
struct SessionContext;

enum class Mode { kSlice, kResident };

struct RunnerOptions {
  Mode mode = Mode::kSlice;
  size_t workers = 1;      // slices at a time
  size_t max_waiting = 4;  // resident processes kept between slices; the least recently used goes
  double grace_seconds = 30;    // between SIGTERM and SIGKILL
  Path working_directory = {};  // of the command; empty = ours
};

// Not thread-safe; all calls on one thread that lives as long as it (process.h).
class Runner {
 public:
  // `files` and `clock` outlive it. The clock measures slices and their times of grace; poll()
  // itself waits by the machine's.
  Runner(Command command, ReportRules rules, RunnerOptions options, FileSystem& files,
         const Clock& clock);
  // freeze_all(), but nobody hears the events.
  ~Runner();
  Runner(const Runner&) = delete;
  Runner& operator=(const Runner&) = delete;

  // How many slices may be started now.
  size_t free_workers() const;

  // Starts or thaws; needs a free worker, and a trial that does not run. An error if its files
  // cannot be written or the program cannot be executed; there are no events of the slice then.
  Status start(const SliceRequest& request);

  // What happened; waits up to `timeout_seconds` for the first event if there is none. Empty when
  // that time is over.
  std::vector<Event> poll(double timeout_seconds);

  // Asks all trainings to save and leave, and ends those that do not. Returns after all ended, with
  // the events up to there. The runner can be used on.
  std::vector<Event> freeze_all();

 private:
  Result<bool> thaw(const SliceRequest& request);
  void update();
  void limit_waiting();

  size_t workers_, max_waiting_;
  std::unique_ptr<const SessionContext> context_;
  std::vector<std::unique_ptr<Session>> sessions_;  // the least recently started first
  std::vector<Event> events_;
};

}  // namespace cmbo::runner
