// SPDX-License-Identifier: Apache-2.0
//
// One line that says how far long work is and how long it will still take.
#pragma once

#include <cstdint>
#include <string>

#include "base/clock.h"
#include "cli/terminal.h"

namespace cmbo::cli {

// Shown on stderr if that is a terminal, from half a second on, ten times a second at most; gone
// when it goes out of scope. Not thread-safe.
class ProgressBar {
 public:
  ProgressBar(Terminal& terminal, const Clock& clock, std::string title);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  // Work done so far and in all, in any unit; `note` is shown behind the title.
  void update(uint64_t done, uint64_t total, const std::string& note = "");

 private:
  Terminal& terminal_;
  const Clock& clock_;
  std::string title_;
  double started_;
  double first_share_ = -1.0;  // what was done before, by an interrupted run; < 0 = not known yet
  double next_redraw_;
};

// The line itself: title, bar, percent, time left (if not negative), in at most `width` columns.
std::string progress_line(const std::string& title, double share, double seconds_left,
                          size_t width);

}  // namespace cmbo::cli
