// SPDX-License-Identifier: Apache-2.0
#include "base/clock.h"

#include <gtest/gtest.h>

namespace cmbo {
namespace {

TEST(ClockTest, SystemClockRunsForward) {
  const double before = system_clock().monotonic_seconds();
  EXPECT_GE(system_clock().monotonic_seconds(), before);
  EXPECT_GT(system_clock().wall_seconds(), 1.6e9);
}

TEST(ClockTest, ManualClockMovesOnlyWhenTold) {
  ManualClock clock;
  clock.advance(2.5);
  clock.set_wall(-100.0);
  EXPECT_EQ(clock.monotonic_seconds(), 2.5);
  EXPECT_EQ(clock.wall_seconds(), -100.0);
}

}  // namespace
}  // namespace cmbo
