// SPDX-License-Identifier: Apache-2.0
//
// Other plausible tasks from a recorded one. A handful of tasks teaches a network to be too sure
// that the next is like one of them; here values, time and noise of a whole table are stretched:
//
//   values  y > y_0:  y_0 + (1 - y_0) ((y - y_0) / (1 - y_0))^a      y < y_0: likewise down to 0
//   time    epoch t shows what was at T (t / T)^c
//   noise   what differs from the mean of five epochs, times n
//
// with log a, log c, log n normal, the same for all rows, so that configurations stay comparable. 0
// (diverged), y_0 and 1 stay what they are.
#pragma once

#include "base/random.h"
#include "curves/curve_table.h"

namespace cmbo::curves {

struct Warp {
  double above = 1.0;  // a of values above y_0
  double below = 1.0;  // and below
  double time = 1.0;   // c
  double noise = 1.0;  // n
};

// Standard deviations of the logarithms: `strength` for values and time, twice that for noise.
Warp draw_warp(double strength, Random& random);

// Rows that are shorter than the horizon keep their time.
void apply(const Warp& warp, CurveTable& table);

}  // namespace cmbo::curves
