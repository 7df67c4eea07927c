// SPDX-License-Identifier: Apache-2.0
#include "chart/marks.h"

#include <algorithm>
#include <fmt/format.h>
#include <initializer_list>

#include "chart/path.h"

namespace cmbo::chart {
namespace {

// One path paints every pixel once, so lines in it do not darken each other. Dealing them out to a
// few dozen paths shows where they are dense, and costs next to nothing.
constexpr size_t kMostLayers = 40;

void draw_path(SvgWriter& svg, const PathBuilder& path) {
  if (!path.empty()) svg.element("path", {{"d", path.data()}});
}

void open_group(SvgWriter& svg, Attributes look, std::string_view clip) {
  if (!clip.empty()) look.emplace_back("clip-path", fmt::format("url(#{})", clip));
  svg.open("g", look);
}

void add_marker(PathBuilder& path, Pixel at, Marker marker, double r) {
  const auto polygon = [&](std::initializer_list<Pixel> corners) {
    path.polygon(std::span(corners));
  };
  switch (marker) {
    case Marker::kCircle:
      path.circle(at, r);
      break;
    case Marker::kSquare:
      r *= 0.89;  // of the same area as the circle, like the other shapes
      polygon(
          {{at.x - r, at.y - r}, {at.x + r, at.y - r}, {at.x + r, at.y + r}, {at.x - r, at.y + r}});
      break;
    case Marker::kTriangle:
      polygon({{at.x, at.y - 1.4 * r},
               {at.x + 1.3 * r, at.y + 0.9 * r},
               {at.x - 1.3 * r, at.y + 0.9 * r}});
      break;
    case Marker::kDiamond:
      r *= 1.25;
      polygon({{at.x, at.y - r}, {at.x + r, at.y}, {at.x, at.y + r}, {at.x - r, at.y}});
      break;
    case Marker::kCross:
      path.move_to({at.x - r, at.y - r});
      path.line_to({at.x + r, at.y + r});
      path.move_to({at.x - r, at.y + r});
      path.line_to({at.x + r, at.y - r});
      break;
  }
}

Attributes marker_look(const PointStyle& style) {
  if (style.marker == Marker::kCross) {
    return {{"fill", "none"},
            {"stroke", style.color},
            {"stroke-width", 2.0},
            {"stroke-linecap", "round"},
            {"opacity", style.opacity}};
  }
  return {{"fill", style.color},
          {"stroke", "#ffffff"},
          {"stroke-width", 1.0},
          {"opacity", style.opacity}};
}

}  // namespace

void draw_polylines(SvgWriter& svg, std::span<const PixelLine> lines, const LineStyle& style,
                    std::string_view clip) {
  Attributes look = {{"fill", "none"},
                     {"stroke", style.color},
                     {"stroke-width", style.width},
                     {"stroke-opacity", style.opacity},
                     {"stroke-linejoin", "round"},
                     {"stroke-linecap", style.dashed ? "butt" : "round"}};
  if (style.dashed) look.emplace_back("stroke-dasharray", "6 4");
  open_group(svg, look, clip);
  const size_t layers = style.opacity < 1.0 ? std::min(kMostLayers, lines.size()) : 1;
  for (size_t layer = 0; layer < layers; ++layer) {
    PathBuilder path;
    for (size_t i = layer; i < lines.size(); i += layers) path.polyline(lines[i]);
    draw_path(svg, path);
  }
  svg.close();
}

void draw_areas(SvgWriter& svg, std::span<const PixelLine> outlines, const BandStyle& style,
                std::string_view clip) {
  open_group(svg, {{"fill", style.color}, {"fill-opacity", style.opacity}}, clip);
  PathBuilder path;
  for (const PixelLine& corners : outlines) path.polygon(corners);
  draw_path(svg, path);
  svg.close();
}

void draw_markers(SvgWriter& svg, std::span<const Pixel> centers, const PointStyle& style) {
  svg.open("g", marker_look(style));
  PathBuilder path;
  for (const Pixel& center : centers) add_marker(path, center, style.marker, style.radius);
  draw_path(svg, path);
  svg.close();
}

}  // namespace cmbo::chart
