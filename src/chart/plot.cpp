// SPDX-License-Identifier: Apache-2.0
#include "chart/plot.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "chart/marks.h"
#include "chart/notes.h"
#include "chart/ticks.h"

namespace cmbo::chart {
namespace {

constexpr Font kTickFont = {12.0};
constexpr Font kLabelFont = {12.5};
constexpr std::string_view kGridColor = "#e8e8e8";
constexpr std::string_view kMinorColor = "#cccccc";
constexpr std::string_view kAxisColor = "#999999";

std::vector<Tick> x_ticks(const Panel& panel, const AxisMap& map, double width) {
  return make_ticks(map, {Direction::kHorizontal, kTickFont, width, kLabelOverhang},
                    panel.x_extent().whole());
}

std::vector<Tick> y_ticks(const Panel& panel, const AxisMap& map, double height) {
  return make_ticks(map, {Direction::kVertical, kTickFont, height}, panel.y_extent().whole());
}

void draw_rule(SvgWriter& svg, Pixel from, Pixel to, std::string_view color) {
  svg.element("line", {{"x1", from.x},
                       {"y1", from.y},
                       {"x2", to.x},
                       {"y2", to.y},
                       {"stroke", color},
                       {"stroke-width", 1.0}});
}

void draw_y_axis(SvgWriter& svg, const std::vector<Tick>& ticks, const AxisMap& map, double width) {
  for (const Tick& tick : ticks) {
    const double y = map(tick.value);
    if (tick.label.empty()) {
      draw_rule(svg, {-4.0, y}, {0.0, y}, kMinorColor);
      continue;
    }
    draw_rule(svg, {0.0, y}, {width, y}, kGridColor);
    svg.text({-kTickLabelGap, y + 4.0}, tick.label, {kTickFont, "#555555", Anchor::kEnd});
  }
}

void draw_x_axis(SvgWriter& svg, const std::vector<Tick>& ticks, const AxisMap& map, Size plot) {
  draw_rule(svg, {0.0, plot.height}, {plot.width, plot.height}, kAxisColor);
  for (const Tick& tick : ticks) {
    const double x = map(tick.value);
    const bool minor = tick.label.empty();
    draw_rule(svg, {x, plot.height}, {x, plot.height + (minor ? 3.0 : 5.0)},
              minor ? kMinorColor : kAxisColor);
    svg.text({x, plot.height + 19.0}, tick.label, {kTickFont, "#555555", Anchor::kMiddle});
  }
}

struct SeriesDrawer {
  SvgWriter& svg;
  const Plane& plane;
  std::string_view clip;

  void operator()(const LineSeries& series) const {
    std::vector<PixelLine> pieces;
    for (const Polyline& line : series.lines) {
      for (PixelLine& piece : drawable_pieces(line, plane)) pieces.push_back(std::move(piece));
    }
    draw_polylines(svg, pieces, series.style, clip);
  }
  void operator()(const BandSeries& series) const {
    draw_areas(svg, drawable_areas(series.points, plane), series.style, clip);
  }
  // Not clipped: a marker on the edge of the plot is drawn as a whole.
  void operator()(const PointSeries& series) const {
    std::vector<Pixel> centers;
    for (const Point& point : series.points) {
      if (plane.contains(point)) centers.push_back(plane(point));
    }
    draw_markers(svg, centers, series.style);
  }
};

void draw_x_label(SvgWriter& svg, const Panel& panel, Size plot) {
  const double baseline = plot.height + kTickLabelHeight + 15.0;
  svg.text({0.5 * plot.width, baseline}, shorten(panel.x_axis().label, kLabelFont, plot.width),
           {kLabelFont, "#555555", Anchor::kMiddle});
}

}  // namespace

double tick_label_width(const Panel& panel, double height) {
  double widest = 0.0;
  for (const Tick& tick : y_ticks(panel, plane_of(panel, {1.0, height}).y, height)) {
    widest = std::max(widest, text_width(tick.label, kTickFont));
  }
  return widest;
}

void draw_plot(SvgWriter& svg, const Panel& panel, Size plot, std::string_view clip) {
  const Plane plane = plane_of(panel, plot);
  draw_y_axis(svg, y_ticks(panel, plane.y, plot.height), plane.y, plot.width);
  draw_x_axis(svg, x_ticks(panel, plane.x, plot.width), plane.x, plot);
  draw_x_label(svg, panel, plot);
  for (const Series& series : panel.series()) std::visit(SeriesDrawer{svg, plane, clip}, series);
  draw_notes(svg, panel.notes(), plane, plot);
  if (panel.x_extent().empty()) {
    svg.text({0.5 * plot.width, 0.5 * plot.height}, "no data",
             {kLabelFont, "#999999", Anchor::kMiddle, true});
  }
}

}  // namespace cmbo::chart
