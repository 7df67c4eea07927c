// SPDX-License-Identifier: Apache-2.0
#include "chart/legend.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "chart/marks.h"

namespace cmbo::chart {
namespace {

constexpr Font kLegendFont = {12.0};
constexpr double kRowHeight = 20.0;
constexpr double kSwatchWidth = 22.0;
constexpr double kSwatchGap = 7.0;
constexpr double kItemGap = 22.0;
constexpr double kWidestLabel = 320.0;
constexpr double kRoomForMore = 90.0;  // for "+1234 more"

const std::string& label_of(const LegendEntry& entry) {
  return std::visit([](const auto& style) -> const std::string& { return style.label; }, entry);
}

LegendEntry without_label(LegendEntry entry) {
  std::visit([](auto& style) { style.label.clear(); }, entry);
  return entry;
}

// Whether a reader could take one for the other.
bool contradict(const LegendEntry& a, const LegendEntry& b) {
  const bool same_label = label_of(a) == label_of(b);
  return same_label != (without_label(a) == without_label(b));
}

void add_once(std::vector<LegendEntry>& entries, const LegendEntry& entry) {
  if (std::find(entries.begin(), entries.end(), entry) == entries.end()) entries.push_back(entry);
}

// How opaque `series[index]`, a band, looks inside of the earlier bands of its colour.
double stacked_opacity(std::span<const Series> series, size_t index) {
  const auto& color = std::get<BandSeries>(series[index]).style.color;
  double transparency = 1.0;
  for (const Series& each : series.first(index + 1)) {
    const auto* band = std::get_if<BandSeries>(&each);
    if (band && band->style.color == color) transparency *= 1.0 - band->style.opacity;
  }
  return 1.0 - transparency;
}

LegendEntry entry_for(std::span<const Series> series, size_t index) {
  LegendEntry entry =
      std::visit([](const auto& each) { return LegendEntry(each.style); }, series[index]);
  if (auto* band = std::get_if<BandStyle>(&entry)) band->opacity = stacked_opacity(series, index);
  return entry;
}

struct SwatchDrawer {
  SvgWriter& svg;
  Pixel left;  // the middle of the left edge

  Pixel at(double x, double y) const { return {left.x + x, left.y + y}; }

  // Thin translucent lines can be seen in a crowd only.
  void operator()(LineStyle style) const {
    style.width = std::clamp(style.width, 1.5, 4.0);
    style.opacity = std::max(style.opacity, 0.7);
    const std::vector<PixelLine> line = {{at(0, 0), at(kSwatchWidth, 0)}};
    draw_polylines(svg, line, style);
  }
  void operator()(const BandStyle& style) const {
    const std::vector<PixelLine> box = {
        {at(0, -6), at(kSwatchWidth, -6), at(kSwatchWidth, 6), at(0, 6)}};
    draw_areas(svg, box, style);
  }
  void operator()(PointStyle style) const {
    style.radius = std::min(style.radius, 6.0);
    const std::vector<Pixel> center = {at(0.5 * kSwatchWidth, 0)};
    draw_markers(svg, center, style);
  }
};

}  // namespace

std::vector<LegendEntry> legend_entries(const Panel& panel) {
  std::vector<LegendEntry> entries;
  for (size_t i = 0; i < panel.series().size(); ++i) {
    const LegendEntry entry = entry_for(panel.series(), i);
    if (!label_of(entry).empty()) add_once(entries, entry);
  }
  return entries;
}

std::optional<std::vector<LegendEntry>> shared_entries(std::span<const Panel> panels) {
  std::vector<LegendEntry> shared;
  for (const Panel& panel : panels) {
    const std::vector<LegendEntry> entries = legend_entries(panel);
    for (const LegendEntry& entry : entries) {
      const auto clashes = [&](const LegendEntry& other) { return contradict(entry, other); };
      const bool clash = std::any_of(shared.begin(), shared.end(), clashes);
      if (clash && panels.size() > 1) return std::nullopt;
    }
    for (const LegendEntry& entry : entries) add_once(shared, entry);
  }
  return shared;
}

Legend::Legend(std::span<const LegendEntry> entries, double width, int max_rows) {
  double x = 0.0;
  int row = 0;
  for (size_t i = 0; i < entries.size(); ++i) {
    const double label_room = std::min(kWidestLabel, width - kSwatchWidth - kSwatchGap);
    std::string label = shorten(label_of(entries[i]), kLegendFont, label_room);
    const double item_width = kSwatchWidth + kSwatchGap + text_width(label, kLegendFont);
    const bool last_row = row + 1 == max_rows, last_entry = i + 1 == entries.size();
    const double limit = last_row && !last_entry ? width - kRoomForMore : width;
    if (x > 0.0 && x + item_width > limit) {
      if (last_row) {
        items_.push_back({std::nullopt, fmt::format("+{} more", entries.size() - i), x, row});
        return;
      }
      ++row;
      x = 0.0;
    }
    items_.push_back({entries[i], std::move(label), x, row});
    x += item_width + kItemGap;
  }
}

double Legend::height() const {
  return items_.empty() ? 0.0 : kRowHeight * (items_.back().row + 1);
}

void Legend::draw(SvgWriter& svg, Pixel top_left) const {
  for (const Item& item : items_) {
    const Pixel left = {top_left.x + item.x, top_left.y + kRowHeight * (item.row + 0.5)};
    if (item.swatch) std::visit(SwatchDrawer{svg, left}, *item.swatch);
    const double text_x = item.swatch ? left.x + kSwatchWidth + kSwatchGap : left.x;
    svg.text({text_x, left.y + 4.0}, item.label, {kLegendFont});
  }
}

}  // namespace cmbo::chart
