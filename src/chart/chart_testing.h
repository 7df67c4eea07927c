// SPDX-License-Identifier: Apache-2.0
//
// For tests: values that no axis has a place for.
#pragma once

#include <limits>

namespace cmbo::chart {

inline constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace cmbo::chart
