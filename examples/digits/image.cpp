// SPDX-License-Identifier: Apache-2.0
#include "digits/image.h"

#include <cmath>

#include "base/check.h"

namespace cmbo::digits {

namespace {

size_t width_of(Image image) {
  const auto width = static_cast<size_t>(std::lround(std::sqrt(static_cast<double>(image.size()))));
  CHECK(width * width == image.size(), "not a square image");
  return width;
}

}  // namespace

std::vector<float> shift_image(Image image, int down, int right) {
  const auto width = static_cast<std::ptrdiff_t>(width_of(image));
  const auto inside = [width](std::ptrdiff_t place) { return place >= 0 && place < width; };
  std::vector<float> moved;
  for (std::ptrdiff_t row = 0; row < width; ++row) {
    for (std::ptrdiff_t column = 0; column < width; ++column) {
      const auto from_row = row - down, from_column = column - right;
      const bool known = inside(from_row) && inside(from_column);
      moved.push_back(known ? image[static_cast<size_t>(from_row * width + from_column)] : 0.0F);
    }
  }
  return moved;
}

std::vector<float> turn_image(Image image) {
  const size_t width = width_of(image);
  std::vector<float> turned;
  for (size_t row = 0; row < width; ++row) {
    for (size_t column = 0; column < width; ++column) {
      turned.push_back(image[(width - 1 - column) * width + row]);
    }
  }
  return turned;
}

std::vector<float> shrink_image(Image image) {
  const size_t width = width_of(image);
  CHECK(width % 2 == 0, "an image of odd width");
  std::vector<float> small;
  for (size_t row = 0; row < width; row += 2) {
    for (size_t column = 0; column < width; column += 2) {
      const size_t at = row * width + column;
      small.push_back(0.25F *
                      (image[at] + image[at + 1] + image[at + width] + image[at + width + 1]));
    }
  }
  return small;
}

}  // namespace cmbo::digits
