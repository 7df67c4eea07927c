// SPDX-License-Identifier: Apache-2.0
#include "chart/panel.h"

#include <utility>

#include "base/check.h"

namespace cmbo::chart {

Polyline counted_from_one(std::span<const double> values) {
  Polyline line;
  line.reserve(values.size());
  for (const double value : values) line.push_back({static_cast<double>(line.size() + 1), value});
  return line;
}

Panel::Panel(std::string title, Axis x, Axis y)
    : title_(std::move(title)),
      x_(std::move(x)),
      y_(std::move(y)),
      x_extent_(x_.scale),
      y_extent_(y_.scale) {}

void Panel::include(Point point) {
  if (!is_drawable(point.x, x_.scale) || !is_drawable(point.y, y_.scale)) return;
  x_extent_.include(point.x);
  y_extent_.include(point.y);
}

void Panel::add_line(Polyline points, LineStyle style) {
  std::vector<Polyline> lines;
  lines.push_back(std::move(points));
  add_lines(std::move(lines), std::move(style));
}

void Panel::add_lines(std::vector<Polyline> lines, LineStyle style) {
  for (const Polyline& line : lines) {
    for (const Point& point : line) include(point);
  }
  series_.emplace_back(LineSeries{std::move(lines), std::move(style)});
}

void Panel::add_band(std::span<const double> xs, std::span<const double> low,
                     std::span<const double> high, BandStyle style) {
  CHECK(xs.size() == low.size() && xs.size() == high.size(), "a band needs two values for each x");
  std::vector<BandPoint> points;
  for (size_t i = 0; i < xs.size(); ++i) {
    points.push_back({xs[i], low[i], high[i]});
    include({xs[i], low[i]});
    include({xs[i], high[i]});
  }
  series_.emplace_back(BandSeries{std::move(points), std::move(style)});
}

void Panel::add_points(std::vector<Point> points, PointStyle style) {
  for (const Point& point : points) include(point);
  series_.emplace_back(PointSeries{std::move(points), std::move(style)});
}

void Panel::add_note(double x, double y, std::string_view text) {
  include({x, y});
  notes_.push_back({{x, y}, std::string(text)});
}

}  // namespace cmbo::chart
