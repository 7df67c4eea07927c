// SPDX-License-Identifier: Apache-2.0
//
// The legend: one swatch and label for each labelled series, in rows.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "chart/panel.h"
#include "chart/style.h"
#include "chart/svg.h"

namespace cmbo::chart {

using LegendEntry = std::variant<LineStyle, BandStyle, PointStyle>;

// The labelled series of `panel` in their order, equal ones once. A band has the opacity it gets on
// top of the earlier bands of its colour.
std::vector<LegendEntry> legend_entries(const Panel& panel);

// The entries of all the panels together; nothing if they contradict each other, with one label for
// two looks or one look for two labels, so that each panel needs a legend of its own.
std::optional<std::vector<LegendEntry>> shared_entries(std::span<const Panel> panels);

// Entries laid out in rows of at most `width` px. Those that do not fit into `max_rows` are counted
// in place of the last.
class Legend {
 public:
  Legend(std::span<const LegendEntry> entries, double width, int max_rows);

  double height() const;  // px; 0 without entries
  void draw(SvgWriter& svg, Pixel top_left) const;

 private:
  struct Item {
    std::optional<LegendEntry> swatch;  // none for "+5 more"
    std::string label;
    double x;
    int row;
  };

  std::vector<Item> items_;
};

}  // namespace cmbo::chart
