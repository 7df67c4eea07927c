// SPDX-License-Identifier: Apache-2.0
#include "cli/interrupt.h"

#include <atomic>
#include <csignal>

namespace cmbo::cli {

namespace {

// Set on any thread, read by all of those that work.
std::atomic<bool> signal_seen = false;
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler must not wait");

extern "C" void note_signal(int number) {
  signal_seen = true;
  std::signal(number, SIG_DFL);
}

}  // namespace

InterruptGuard::InterruptGuard() {
  signal_seen = false;
  std::signal(SIGINT, note_signal);
  std::signal(SIGTERM, note_signal);
}

InterruptGuard::~InterruptGuard() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

bool InterruptGuard::interrupted() const {
  return signal_seen;
}

}  // namespace cmbo::cli
