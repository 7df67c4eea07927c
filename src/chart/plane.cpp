// SPDX-License-Identifier: Apache-2.0
#include "chart/plane.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace cmbo::chart {
namespace {

constexpr double kXPadding = 0.015;
constexpr double kYPadding = 0.05;
constexpr double kColumn = 0.5;    // px
constexpr double kHalfDash = 1.5;  // px to each side of a band that has one point only

// Of line[first..last), all in one column, only the first, lowest, highest and last can be seen.
void append_visible(const PixelLine& line, size_t first, size_t last, PixelLine& out) {
  const auto begin = line.begin() + first, end = line.begin() + last;
  const auto [low, high] =
      std::minmax_element(begin, end, [](Pixel a, Pixel b) { return a.y < b.y; });
  std::array visible = {begin, low, high, end - 1};
  std::sort(visible.begin(), visible.end());
  const auto unique_end = std::unique(visible.begin(), visible.end());
  for (auto it = visible.begin(); it != unique_end; ++it) out.push_back(**it);
}

PixelLine thinned_out(const PixelLine& line) {
  PixelLine thin;
  const auto column = [](Pixel pixel) { return std::floor(pixel.x / kColumn); };
  for (size_t first = 0, last = 0; first < line.size(); first = last) {
    while (last < line.size() && column(line[last]) == column(line[first])) ++last;
    append_visible(line, first, last, thin);
  }
  return thin;
}

// Calls place(element) for each, and finish() after each stretch of elements that found a place.
template <typename Element, typename Place, typename Finish>
void place_in_pieces(std::span<const Element> elements, const Place& place, const Finish& finish) {
  bool open = false;
  for (const Element& element : elements) {
    const bool placed = place(element);
    if (open && !placed) finish();
    open = placed;
  }
  if (open) finish();
}

// There along the upper edge and back along the lower one.
PixelLine outline(PixelLine upper, PixelLine lower) {
  if (upper.size() == 1) {
    const Pixel top = upper.front(), bottom = lower.front();
    upper = {{top.x - kHalfDash, top.y}, {top.x + kHalfDash, top.y}};
    lower = {{top.x - kHalfDash, bottom.y}, {top.x + kHalfDash, bottom.y}};
  }
  upper.insert(upper.end(), lower.rbegin(), lower.rend());
  return upper;
}

}  // namespace

Plane plane_of(const Panel& panel, Size size) {
  const Axis& x = panel.x_axis();
  const Axis& y = panel.y_axis();
  return {AxisMap(axis_range(x, panel.x_extent(), kXPadding), x.scale, 0.0, size.width),
          AxisMap(axis_range(y, panel.y_extent(), kYPadding), y.scale, size.height, 0.0)};
}

std::vector<PixelLine> drawable_pieces(std::span<const Point> line, const Plane& plane) {
  std::vector<PixelLine> pieces;
  PixelLine piece;
  const auto place = [&](const Point& point) {
    const bool drawable = plane.x.is_drawable(point.x) && plane.y.is_drawable(point.y);
    if (drawable) piece.push_back(plane(point));
    return drawable;
  };
  place_in_pieces(line, place, [&] { pieces.push_back(thinned_out(std::exchange(piece, {}))); });
  return pieces;
}

std::vector<PixelLine> drawable_areas(std::span<const BandPoint> band, const Plane& plane) {
  std::vector<PixelLine> areas;
  PixelLine upper, lower;
  const auto place = [&](const BandPoint& point) {
    if (!plane.x.is_drawable(point.x) || !plane.y.is_drawable(point.high)) return false;
    const bool sinks = plane.y.scale() == Scale::kLog && point.low <= 0.0;
    const double low = sinks ? plane.y.range().low : point.low;
    if (!plane.y.is_drawable(low)) return false;
    upper.push_back(plane({point.x, point.high}));
    lower.push_back(plane({point.x, low}));
    return true;
  };
  place_in_pieces(band, place, [&] {
    areas.push_back(outline(std::exchange(upper, {}), std::exchange(lower, {})));
  });
  return areas;
}

}  // namespace cmbo::chart
