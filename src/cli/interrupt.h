// SPDX-License-Identifier: Apache-2.0
//
// Ctrl-C and SIGTERM as a question that long work asks now and then, so that it can save and leave.
#pragma once

namespace cmbo::cli {

// While one exists, the signals only set a flag; a second Ctrl-C kills as usual. One at a time.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  bool interrupted() const;
};

}  // namespace cmbo::cli
