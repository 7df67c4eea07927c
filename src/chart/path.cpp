// SPDX-License-Identifier: Apache-2.0
#include "chart/path.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>

namespace cmbo::chart {
namespace {

// Far outside of every picture, and within what renderers can compute with.
constexpr double kFarthest = 1e5;
constexpr double kDotRadius = 1.0;  // and half the width of the line

long to_tenths(double px) {
  return std::isnan(px) ? 0 : std::lround(10.0 * std::clamp(px, -kFarthest, kFarthest));
}

}  // namespace

// A sign separates numbers as well as a space does.
void PathBuilder::append_tenths(long tenths) {
  const char last = data_.back();
  if (tenths < 0) {
    data_ += '-';
  } else if (last >= '0' && last <= '9') {
    data_ += ' ';
  }
  const long size = std::labs(tenths);
  if (size >= 10 || size == 0) data_ += std::to_string(size / 10);
  if (size % 10 != 0) data_.append(".").append(std::to_string(size % 10));
}

void PathBuilder::move_to(Pixel to) {
  x_ = to_tenths(to.x);
  y_ = to_tenths(to.y);
  data_ += 'M';
  append_tenths(x_);
  append_tenths(y_);
  in_line_ = false;
}

void PathBuilder::line_to(Pixel to) {
  const long x = to_tenths(to.x), y = to_tenths(to.y);
  if (!in_line_) data_ += 'l';
  append_tenths(x - x_);
  append_tenths(y - y_);
  x_ = x;
  y_ = y;
  in_line_ = true;
}

void PathBuilder::close() {
  data_ += 'z';
  in_line_ = false;
}

void PathBuilder::polyline(std::span<const Pixel> pixels) {
  if (pixels.size() == 1) {
    circle(pixels.front(), kDotRadius);
    return;
  }
  for (size_t i = 0; i < pixels.size(); ++i) i == 0 ? move_to(pixels[i]) : line_to(pixels[i]);
}

void PathBuilder::polygon(std::span<const Pixel> corners) {
  polyline(corners);
  if (!corners.empty()) close();
}

void PathBuilder::circle(Pixel center, double radius) {
  move_to({center.x - radius, center.y});
  const std::string r = svg_number(radius), across = svg_number(2.0 * radius);
  data_ += fmt::format("a{0} {0} 0 1 0 {1} 0a{0} {0} 0 1 0-{1} 0z", r, across);
  in_line_ = false;
}

}  // namespace cmbo::chart
