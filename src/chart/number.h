// SPDX-License-Identifier: Apache-2.0
//
// Numbers as short text for tick labels.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace cmbo::chart {

// `value` alone, with up to 4 significant digits: 0.001, 2.5e-5, 20k, 1.5M. Must be finite.
std::string format_number(double value);

// The same with an exponent: 1e-20, 2.5e4; but 0, and 1 to 9 without one.
std::string format_scientific(double value);

// Labels for multiples of a step between 10^step_exponent and 10^(step_exponent+1): the same unit
// and the same decimals for all, enough to tell them apart. The values must be finite.
std::vector<std::string> format_multiples(std::span<const double> values, int step_exponent);

}  // namespace cmbo::chart
