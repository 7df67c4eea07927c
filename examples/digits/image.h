// SPDX-License-Identifier: Apache-2.0
//
// Square images, row by row, and what makes a new problem of them.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace cmbo::digits {

using Image = std::span<const float>;

// Moved by whole pixels; what comes in from outside is 0.
std::vector<float> shift_image(Image image, int down, int right);
// A quarter turn, clockwise.
std::vector<float> turn_image(Image image);
// Half as wide and high: means of 2x2 pixels. The width must be even.
std::vector<float> shrink_image(Image image);

}  // namespace cmbo::digits
