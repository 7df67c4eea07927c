// SPDX-License-Identifier: Apache-2.0
//
// The schedule of Hyperband (Li et al., "Hyperband: A Novel Bandit-Based Approach to Hyperparameter
// Optimization", 2018). With R = the horizon, at least 1 epoch and s_max = floor(log_eta R), there
// is a bracket for each s = s_max, ..., 0:
//
//   n_s = ceil((s_max + 1) / (s + 1) * eta^s)  configurations start
//   r_i = R eta^(i-s), i = 0..s                epochs until rung i, rounded
//   floor(n / eta) of the n that completed a rung go on to the next
//
// Many short trainings come first, few whole ones last.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace cmbo::baselines {

struct Bracket {
  size_t configurations = 1;    // at the first rung
  std::vector<uint32_t> rungs;  // epochs, ascending; the last is the horizon

  friend bool operator==(const Bracket&, const Bracket&) = default;
};

// The brackets of s_max, ..., 0; bracket k starts at the rung k of the first. `eta` >= 2.
std::vector<Bracket> hyperband_brackets(size_t horizon, uint32_t eta);

// How many of `count` go on to the next rung: never none.
size_t promoted(size_t count, uint32_t eta);

}  // namespace cmbo::baselines
