// SPDX-License-Identifier: Apache-2.0
//
// Draws lines, areas and markers, the same in a plot and in its legend.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "chart/plane.h"
#include "chart/style.h"
#include "chart/svg.h"

namespace cmbo::chart {

// `clip` is the id of the clip path to draw inside of; empty = none.
void draw_polylines(SvgWriter& svg, std::span<const PixelLine> lines, const LineStyle& style,
                    std::string_view clip = {});
void draw_areas(SvgWriter& svg, std::span<const PixelLine> outlines, const BandStyle& style,
                std::string_view clip = {});
void draw_markers(SvgWriter& svg, std::span<const Pixel> centers, const PointStyle& style);

}  // namespace cmbo::chart
