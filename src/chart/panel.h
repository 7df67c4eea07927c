// SPDX-License-Identifier: Apache-2.0
//
// One plot: two axes, and what is drawn between them in the order in which it was added. It only
// holds the data; Figure draws it.
//
// Points without a place (NaN, infinite, or not positive on a logarithmic axis) are left out and
// break a line or band. Lines and bands are cut off at the limits of the axes; points and notes
// beyond them are left out.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "chart/axis.h"
#include "chart/style.h"

namespace cmbo::chart {

struct Point {
  double x = 0.0;
  double y = 0.0;
};
using Polyline = std::vector<Point>;

// y = values[i] at x = i + 1: a curve with one value for each epoch or step.
Polyline counted_from_one(std::span<const double> values);

struct LineSeries {
  std::vector<Polyline> lines;
  LineStyle style;
};

struct BandPoint {
  double x, low, high;
};

struct BandSeries {
  std::vector<BandPoint> points;
  BandStyle style;
};

struct PointSeries {
  std::vector<Point> points;
  PointStyle style;
};

using Series = std::variant<LineSeries, BandSeries, PointSeries>;

struct Note {
  Point at;
  std::string text;
};

class Panel {
 public:
  Panel(std::string title, Axis x, Axis y);

  void add_line(Polyline points, LineStyle style = {});
  // Many lines of one style, in few SVG elements. Where translucent ones cross they get darker.
  void add_lines(std::vector<Polyline> lines, LineStyle style = {});
  // The area between `low` and `high`, which have one value for each of `xs`. Add the widest of
  // nested bands first. On a logarithmic axis a low edge at or below zero runs off the bottom.
  void add_band(std::span<const double> xs, std::span<const double> low,
                std::span<const double> high, BandStyle style = {});
  void add_points(std::vector<Point> points, PointStyle style = {});
  // A short text beside (x, y), kept inside of the plot and clear of earlier notes if it can be.
  void add_note(double x, double y, std::string_view text);

  const std::string& title() const { return title_; }
  const Axis& x_axis() const { return x_; }
  const Axis& y_axis() const { return y_; }
  const std::vector<Series>& series() const { return series_; }
  const std::vector<Note>& notes() const { return notes_; }
  // What the data and notes span; those without a place on both axes do not count.
  const Extent& x_extent() const { return x_extent_; }
  const Extent& y_extent() const { return y_extent_; }

 private:
  void include(Point point);

  std::string title_;
  Axis x_;
  Axis y_;
  std::vector<Series> series_;
  std::vector<Note> notes_;
  Extent x_extent_;
  Extent y_extent_;
};

}  // namespace cmbo::chart
