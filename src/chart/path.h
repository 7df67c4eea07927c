// SPDX-License-Identifier: Apache-2.0
//
// The `d` attribute of an SVG path, written as short as it can be: coordinates are rounded to
// 0.1 px and relative to the one before, without adding up the rounding.
#pragma once

#include <span>
#include <string>

#include "chart/svg.h"

namespace cmbo::chart {

class PathBuilder {
 public:
  void move_to(Pixel to);
  void line_to(Pixel to);
  void close();

  // Joined by lines. A single pixel becomes a dot, so that it can be seen.
  void polyline(std::span<const Pixel> pixels);
  void polygon(std::span<const Pixel> corners);
  void circle(Pixel center, double radius);

  bool empty() const { return data_.empty(); }
  const std::string& data() const { return data_; }

 private:
  void append_tenths(long tenths);

  std::string data_;
  long x_ = 0;  // the current point, in tenths of a px
  long y_ = 0;
  bool in_line_ = false;  // the last command was `l`, which need not be repeated
};

}  // namespace cmbo::chart
