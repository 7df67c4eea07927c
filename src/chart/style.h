// SPDX-License-Identifier: Apache-2.0
//
// How series look. Colours are SVG colours ("#0072b2"). A style with a label appears in the legend.
#pragma once

#include <cstddef>
#include <string>

namespace cmbo::chart {

// Eight colours that colour-blind readers can tell apart on white (after Okabe and Ito); they
// repeat from index 8 on.
const char* palette(size_t index);

// For what stands in the background: the many curves behind the few.
inline constexpr const char* kQuietColor = "#8c96a3";

struct LineStyle {
  std::string color = palette(0);
  double width = 2.0;    // px
  double opacity = 1.0;  // 0 .. 1
  bool dashed = false;
  std::string label = {};

  bool operator==(const LineStyle&) const = default;
};

struct BandStyle {
  std::string color = palette(0);
  double opacity = 0.2;
  std::string label = {};

  bool operator==(const BandStyle&) const = default;
};

enum class Marker { kCircle, kSquare, kTriangle, kDiamond, kCross };

struct PointStyle {
  std::string color = palette(0);
  Marker marker = Marker::kCircle;
  double radius = 4.0;  // px
  double opacity = 1.0;
  std::string label = {};

  bool operator==(const PointStyle&) const = default;
};

}  // namespace cmbo::chart
