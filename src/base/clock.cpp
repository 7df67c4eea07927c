// SPDX-License-Identifier: Apache-2.0
#include "base/clock.h"

#include <chrono>

namespace cmbo {

namespace {

template <typename ChronoClock>
double seconds_now() {
  return std::chrono::duration<double>(ChronoClock::now().time_since_epoch()).count();
}

class SystemClock : public Clock {
 public:
  double monotonic_seconds() const override { return seconds_now<std::chrono::steady_clock>(); }
  double wall_seconds() const override { return seconds_now<std::chrono::system_clock>(); }
};

}  // namespace

const Clock& system_clock() {
  static const SystemClock clock;
  return clock;
}

}  // namespace cmbo
