// SPDX-License-Identifier: Apache-2.0
//
// The order in which a baseline meets the configurations of a pool, and what it does at the end.
#pragma once

#include <cstdint>
#include <vector>

#include "decide/history.h"

namespace cmbo::baselines {

// All of 0..count-1, shuffled; the seed decides.
std::vector<uint32_t> random_order(size_t count, uint64_t seed);

// Where a method is at its end and the budget is not: the unfinished configuration with the best
// last value, among equals the first; those that were never started come last. There is one.
uint32_t best_unfinished(const decide::History& history);

}  // namespace cmbo::baselines
