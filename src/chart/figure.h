// SPDX-License-Identifier: Apache-2.0
//
// A picture: a title, a subtitle, and panels in a grid, as SVG text.
//
//   Panel panel("", {"epoch"}, {"accuracy"});
//   panel.add_line(counted_from_one(accuracies), {.label = "best run"});
//   Figure figure("Learning curves", "200 runs on one data set");
//   figure.add_panel(std::move(panel));
//   const std::string svg = figure.to_svg();
//
// All plots of a figure have the same size. The legend is below the panels; if panels use the same
// look or label for different things, each has its own.
#pragma once

#include <string>
#include <vector>

#include "chart/panel.h"

namespace cmbo::chart {

inline constexpr double kFigureWidth = 860.0;        // px
inline constexpr double kSinglePanelHeight = 520.0;  // of a figure with one panel, in px

class Figure {
 public:
  explicit Figure(std::string title, std::string subtitle = "");

  // Panels fill the grid row by row.
  void add_panel(Panel panel);
  // How many panels are side by side, 1 to 6; 0 (the default) = chosen by their number.
  void set_columns(size_t columns);

  // kFigureWidth wide; the height depends on the grid. The same panels give the same bytes.
  std::string to_svg() const;

 private:
  std::string title_;
  std::string subtitle_;
  std::vector<Panel> panels_;
  size_t columns_ = 0;
};

}  // namespace cmbo::chart
