// SPDX-License-Identifier: Apache-2.0
//
// What the end of a training process means; the table is in runner.h.
#pragma once

#include <cstdint>
#include <string>

#include "runner/process.h"
#include "runner/slice.h"

namespace cmbo::runner {

// "Try again later", EX_TEMPFAIL of sysexits.h.
inline constexpr int kExitPreempted = 75;

// Why we ended a training ourselves.
enum class StopCause { kNone, kFreeze, kTimeout, kOverrun, kDiverged };

struct SliceEnd {
  Exit exit;
  StopCause cause = StopCause::kNone;
  uint64_t last_step = 0;
  uint64_t target_step = 1;
  bool diverged = false;    // a value was not finite
  double seconds = 0.0;     // that the slice took
  std::string stderr_tail;  // the end of what it wrote there in this slice
};

struct Judgement {
  Outcome outcome = Outcome::kReached;
  std::string text;  // as in EndedEvent
};

Judgement judge_end(const SliceEnd& end);

}  // namespace cmbo::runner
