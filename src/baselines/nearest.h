// SPDX-License-Identifier: Apache-2.0
//
// From a vector that a method made up to a configuration that there is.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "curves/curve_table.h"

namespace cmbo::baselines {

// The configuration of `pool` that is nearest to `x` ([d], Euclidean in the encoded space) among
// those not `taken` ([N]); among equals the first. nullopt if all are taken.
std::optional<uint32_t> nearest(const curves::CurveTable& pool, std::span<const double> x,
                                const std::vector<bool>& taken);

}  // namespace cmbo::baselines
