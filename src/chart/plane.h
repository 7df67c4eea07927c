// SPDX-License-Identifier: Apache-2.0
//
// The plane between two axes: turns data into pixels, cut where a point has no place.
#pragma once

#include <span>
#include <vector>

#include "chart/axis.h"
#include "chart/panel.h"
#include "chart/svg.h"

namespace cmbo::chart {

struct Size {
  double width = 0.0;
  double height = 0.0;
};

struct Plane {
  AxisMap x;
  AxisMap y;

  bool contains(Point point) const { return x.contains(point.x) && y.contains(point.y); }
  // `point` must be drawable on both axes.
  Pixel operator()(Point point) const { return {x(point.x), y(point.y)}; }
};

// The plane of `panel` with (0, 0) at the top left of a plot of `size`.
Plane plane_of(const Panel& panel, Size size);

using PixelLine = std::vector<Pixel>;

// The stretches of `line` that can be drawn, none of them empty. Points that fall by the dozen into
// one column of pixels are thinned out to those that can be seen.
std::vector<PixelLine> drawable_pieces(std::span<const Point> line, const Plane& plane);

// The outlines of the stretches of a band that can be drawn.
std::vector<PixelLine> drawable_areas(std::span<const BandPoint> band, const Plane& plane);

}  // namespace cmbo::chart
