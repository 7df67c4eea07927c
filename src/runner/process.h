// SPDX-License-Identifier: Apache-2.0
//
// A child process in a process group of its own, so that a signal reaches its children too.
//
// What it prints goes straight into log files, which we read as they grow: it neither blocks nor
// dies when we do. When we die without a word (SIGKILL), the kernel sends SIGTERM to the process
// (not to its children); whatever is left after that is found and ended by end_leftovers()
// (process_table.h) when the study goes on.
#pragma once

#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

#include "base/file_system.h"
#include "base/result.h"
#include "runner/command.h"

namespace cmbo::runner {

struct ProcessOptions {
  std::vector<std::string> words;  // the program, looked up in PATH, and its arguments
  Variables environment;           // added to ours
  Path working_directory;          // empty = ours
  Path stdout_log, stderr_log;     // appended to; created if they are not there
  bool with_input = false;         // stdin is a channel from us, else /dev/null
};

// How a process ended.
struct Exit {
  int code = 0;    // its exit code
  int signal = 0;  // or the signal that ended it; 0 = none
};

// Not thread-safe. start() must be called on a thread that lives as long as the process: its end
// counts as our death.
class Process {
 public:
  // Running when it returns: a program that cannot be executed is an error here. The child
  // inherits no descriptor of ours but its three.
  static Result<Process> start(const ProcessOptions& options);

  // Kills (SIGKILL) the whole group and waits for it, if it is not over.
  ~Process();
  Process(Process&& other) noexcept;
  Process& operator=(Process&&) = delete;

  // How the process ended, once it did; its children may live on. Does not wait.
  std::optional<Exit> exited();
  // What exited() said last.
  const std::optional<Exit>& exit() const { return exit_; }
  // After exited(): whether its children are gone too. If so, nothing of it is left, no zombie
  // either, and no signal is sent any more.
  bool gone();

  // To the whole group.
  void signal(int number);

  // A line to its stdin, without waiting. False if it does not listen any more.
  bool send_line(const std::string& line);
  // The end of its stdin.
  void close_input();

  pid_t id() const { return pid_; }

 private:
  Process(pid_t pid, int input) : pid_(pid), input_(input) {}

  pid_t pid_;  // of the process and of its group; 0 = gone
  int input_;  // our end of its stdin; -1 = none
  std::optional<Exit> exit_;
};

}  // namespace cmbo::runner
