// SPDX-License-Identifier: Apache-2.0
//
// The synthetic prior over learning curves: what a model learns from that must serve a user without
// any history. A draw is a whole task:
//
//   a space of d inputs, N configurations x in [0,1]^d      prior_network.h
//   a random network from x to latent scores                prior_network.h
//   what the task's curves have in common, and from the
//   scores to the parameters of every curve                 prior_task.h
//   the curves: mixtures of power, exponential, logarithm
//   and Hill shapes with noise, decline and divergence      prior_shapes.h
//
// The tasks are meant to be a little broader than recorded sets, and are fitted to none. Of all
// curves 10 to 25 % stay within 0.01 of y_0, 50 to 70 % end more than 0.02 above it and 4 to 13 %
// below it, 3 to 9 % diverge: none in 55 to 85 % of the tasks, up to a third, rarely a half, in the
// others. At least half of the curves are flat in 8 to 25 % of the tasks, nearly all improve in 10
// to 30 %.
#pragma once

#include <vector>

#include "base/random.h"
#include "curves/curve_table.h"

namespace cmbo::curves {

struct PriorOptions {
  size_t configurations = 512;                           // N, rows of the table
  size_t min_dimensions = 1;                             // d is uniform from here
  size_t max_dimensions = 16;                            // to here
  std::vector<size_t> horizons = {10, 20, 30, 50, 100};  // T is one of these, each as likely
  bool pad = true;                                       // add zero columns up to max_dimensions
  bool shuffle = true;  // put the columns, padding too, in random order
};

// A table of complete curves; values in [0,1], where 0 is a curve that diverged and stays. The
// options and the state of `random` determine every byte, on machines with the same math library.
// Takes a few milliseconds for 512 x 50. Safe to call from many threads, each with its own
// `random`.
CurveTable sample_prior(const PriorOptions& options, Random& random);

// Makes a recorded task stranger: its curves become a convex combination, with one weight ~ U(0,1)
// for all, of what they were and of curves of a synthetic task over the same configurations, moved
// so that both start at the table's y_0. Whoever learned the recorded task by heart has to look at
// what is observed to find out how much of it still holds.
void blend_with_prior(CurveTable& table, Random& random);

}  // namespace cmbo::curves
