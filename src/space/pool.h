// SPDX-License-Identifier: Apache-2.0
//
// A pool of configurations that covers a space evenly.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "space/space.h"

namespace cmbo::space {

// `count` different configurations along a Sobol sequence, shifted at random by `seed`; the same
// for the same space, count and seed on every machine, and a smaller pool is the beginning of a
// larger one as long as the space is not nearly exhausted. If the space holds fewer than `count`
// configurations, all of them; if most of it hides behind conditions that a draw in a thousand does
// not meet, those that were found.
std::vector<Configuration> sobol_pool(const Space& space, size_t count, uint64_t seed);

}  // namespace cmbo::space
