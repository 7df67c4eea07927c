// SPDX-License-Identifier: Apache-2.0
//
// The order in which a baseline meets the configurations of a pool.
#pragma once

#include <cstdint>
#include <vector>

namespace cmbo::baselines {

// All of 0..count-1, shuffled; the seed decides.
std::vector<uint32_t> random_order(size_t count, uint64_t seed);

}  // namespace cmbo::baselines
