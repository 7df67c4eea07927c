// SPDX-License-Identifier: Apache-2.0
//
// The second half of the synthetic prior: one learning curve from its parameters.
//
//   y(t) = y_0 + (start - y_0) (1 - e^(-t/jump)) + (asymptote - start) p(r) + step - decline -
//   shock r    = warped time / half, so that every shape is half way at t = half p(r) = sum of
//   weight_k p_k(r), from 0 towards 1:
//     power        1 - (1 + (2^(1/a) - 1) r)^-a
//     exponential  1 - 2^-(r^b)
//     logarithm    min(1, log(1 + c r) / (2 log(1 + c)))       saturates at r = c + 2
//     Hill         r^h / (1 + r^h)
//
// plus noise, white and autocorrelated; then the value is kept inside (0, 1), where 0 is reserved
// for curves that diverged, and rounded to a multiple of the grain. Times are in epochs.
#pragma once

#include <array>
#include <limits>
#include <span>

#include "base/random.h"

namespace cmbo::curves {

inline constexpr double kNever = std::numeric_limits<double>::infinity();
inline constexpr double kLowestAlive = 1e-4;  // the smallest value of a curve that did not diverge

struct CurveNoise {
  double white = 0;          // deviation of the independent part
  double correlated = 0;     // deviation of the autocorrelated part
  double persistence = 0.8;  // its autocorrelation from one epoch to the next
  double resting = 1;        // factor of both where nothing was learned, rising to 1
  double spike_rate = 0;     // probability per epoch of a fall back towards the start
  double grain = 0;          // values are multiples of it, as shares of few examples; 0: of nothing
};

struct CurveShape {
  double initial = 0;        // y_0
  double start = 0;          // the level that is reached without learning, often y_0
  double jump = 0.1;         // time constant of the way there
  double asymptote = 0;      // where learning leads
  double half = 1;           // time to half of it
  double delay = 0;          // time before learning begins
  double break_at = kNever;  // from here on time passes
  double break_speed = 1;    // so many times as fast; 0: the curve saturates
  std::array<double, 4> weights = {1, 0, 0, 0};  // of power, exponential, logarithm, Hill; sum 1
  double power = 1;                              // a
  double stretch = 1;                            // b
  double log_range = 10;                         // c
  double hill = 1;                               // h
  double step_at = kNever;     // a schedule's step, e.g. of the learning rate: a second rise
  double step = 0;             // by so much, after which there is less noise
  double decline_at = kNever;  // overfitting begins
  double decline = 0;          // lost by the last epoch
  double decline_bend = 1;     // exponent of the loss over time
  double shock = 0;            // lost at the very start
  double recovery = 1;         // time constant of its way back
  double dies_at = kNever;     // from this epoch on the curve is dead
  double dead_level = 0;       // and stands here: 0 for divergence, or the level of chance
  CurveNoise noise;
};

// Fills epochs 1..curve.size(), the horizon. The noise comes from `random`, the rest is exact.
void draw_curve(const CurveShape& shape, Random& random, std::span<float> curve);

// p(r) above; r >= 0.
double progress(const CurveShape& shape, double r);

}  // namespace cmbo::curves
