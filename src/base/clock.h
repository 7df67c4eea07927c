// SPDX-License-Identifier: Apache-2.0
//
// Time behind an interface, so that what depends on it can be tested without waiting.
#pragma once

namespace cmbo {

class Clock {
 public:
  virtual ~Clock() = default;

  // Seconds since an arbitrary start; never goes back. For durations.
  virtual double monotonic_seconds() const = 0;
  // Seconds since 1970-01-01 UTC; may jump. For time stamps only.
  virtual double wall_seconds() const = 0;
};

// The machine's clocks. Thread-safe, lives for ever.
const Clock& system_clock();

// A clock that stands still until it is moved.
class ManualClock : public Clock {
 public:
  double monotonic_seconds() const override { return monotonic_; }
  double wall_seconds() const override { return wall_; }

  void advance(double seconds) {
    monotonic_ += seconds;
    wall_ += seconds;
  }
  void set_wall(double seconds) { wall_ = seconds; }

 private:
  double monotonic_ = 0.0;
  double wall_ = 0.0;
};

}  // namespace cmbo
