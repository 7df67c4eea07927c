// SPDX-License-Identifier: Apache-2.0
#include "runner/outcome.h"

#include <csignal>
#include <cstring>
#include <fmt/format.h>

namespace cmbo::runner {

namespace {

// A shell that waits for a program says 128 + the signal that ended it.
constexpr int kShellSignal = 128;
constexpr int kMaxSignal = 64;
constexpr int kNotExecutable = 126, kNotFound = 127;

int signal_of(const Exit& exit) {
  const bool by_shell = exit.code > kShellSignal && exit.code <= kShellSignal + kMaxSignal;
  return by_shell ? exit.code - kShellSignal : exit.signal;
}

// Raised by what the program itself does wrong.
bool is_own_mistake(int signal) {
  switch (signal) {
    case SIGSEGV:
    case SIGABRT:
    case SIGFPE:
    case SIGILL:
    case SIGBUS:
    case SIGSYS:
    case SIGTRAP:
      return true;
    default:
      return false;
  }
}

std::string describe(const Exit& exit) {
  const int signal = signal_of(exit);
  if (signal == 0) return fmt::format("exited with code {}", exit.code);
  const char* name = ::sigabbrev_np(signal);
  return fmt::format("was ended by SIG{}", name == nullptr ? std::to_string(signal) : name);
}

std::string with_stderr(std::string text, const SliceEnd& end) {
  if (end.stderr_tail.empty()) return text + "; it wrote nothing to stderr";
  return text + "; the end of its stderr:\n" + end.stderr_tail;
}

std::string at_step(const SliceEnd& end) {
  return fmt::format("at step {} of {}", end.last_step, end.target_step);
}

std::string_view remedy_of(const Exit& exit) {
  if (exit.code == kNotFound) return " (the shell finds no such program; check the command)";
  if (exit.code == kNotExecutable) return " (not executable; check the command's file mode)";
  return "";
}

// Without help from us, and before the target.
Judgement judge_own_end(const SliceEnd& end) {
  const int signal = signal_of(end.exit);
  const std::string what = fmt::format("the training {} {}", describe(end.exit), at_step(end));
  if (end.exit.code == kExitPreempted || (signal != 0 && !is_own_mistake(signal))) {
    return {Outcome::kPreempted, what + "; it goes on from there when it is thawed"};
  }
  if (signal == 0 && end.exit.code == 0) {
    return {Outcome::kFailed,
            with_stderr(fmt::format("the training ended early {}; report every step up to "
                                    "CMBO_TARGET_STEP, counted from 1, and append if you write to "
                                    "CMBO_REPORT",
                                    at_step(end)),
                        end)};
  }
  return {Outcome::kFailed, with_stderr(what + std::string(remedy_of(end.exit)), end)};
}

Judgement judge_reached(const SliceEnd& end) {
  const bool is_clean = end.exit.code == 0 && end.exit.signal == 0;
  if (is_clean || end.cause != StopCause::kNone) return {};
  return {Outcome::kReached,
          with_stderr(fmt::format("the training {} after it had reported its target; that counts, "
                                  "because a report says that the checkpoint is saved",
                                  describe(end.exit)),
                      end)};
}

}  // namespace

std::string_view outcome_name(Outcome outcome) {
  switch (outcome) {
    case Outcome::kReached:
      return "reached";
    case Outcome::kPreempted:
      return "preempted";
    case Outcome::kFailed:
      return "failed";
    case Outcome::kTimedOut:
      return "timed out";
    case Outcome::kDiverged:
      return "diverged";
  }
  CHECK(false, "an outcome without a name");
}

Judgement judge_end(const SliceEnd& end) {
  if (end.diverged) {
    return {Outcome::kDiverged, fmt::format("the value of step {} is not finite", end.last_step)};
  }
  if (end.last_step == end.target_step) return judge_reached(end);
  switch (end.cause) {
    case StopCause::kTimeout:
      return {
          Outcome::kTimedOut,
          with_stderr(fmt::format("the training was {} after {:.3g} s and was ended; allow more "
                                  "time if that is too little",
                                  at_step(end), end.seconds),
                      end)};
    case StopCause::kFreeze:
      return {Outcome::kPreempted, fmt::format("frozen {}", at_step(end))};
    case StopCause::kOverrun:
      return {Outcome::kFailed,
              fmt::format("the training went beyond its target without reporting it, {}; report "
                          "every step and end after CMBO_TARGET_STEP",
                          at_step(end))};
    default:
      return judge_own_end(end);
  }
}

}  // namespace cmbo::runner
