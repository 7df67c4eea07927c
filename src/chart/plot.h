// SPDX-License-Identifier: Apache-2.0
//
// Draws the plot of a panel: grid, series, axes and notes. Coordinates have (0, 0) at its top left.
#pragma once

#include <string_view>

#include "chart/plane.h"

namespace cmbo::chart {

// Room that the plot needs around itself.
inline constexpr double kTickLabelGap = 8.0;      // between the plot and the labels at its left
inline constexpr double kTickLabelHeight = 22.0;  // below
inline constexpr double kXLabelHeight = 20.0;     // below that, if the x axis has a label
inline constexpr double kLabelOverhang = 24.0;    // how far tick labels may stick out at the right

// The widest label at the left of a plot that is `height` px high.
double tick_label_width(const Panel& panel, double height);

// `clip` is the id of a clip path that is as large as the plot.
void draw_plot(SvgWriter& svg, const Panel& panel, Size plot, std::string_view clip);

}  // namespace cmbo::chart
