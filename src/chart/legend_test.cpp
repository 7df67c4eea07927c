// SPDX-License-Identifier: Apache-2.0
#include "chart/legend.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cmbo::chart {
namespace {

using testing::HasSubstr;
using testing::Not;

Panel panel_with(std::vector<LineStyle> styles) {
  Panel panel("", {}, {});
  for (LineStyle& style : styles) panel.add_line({{0, 0}, {1, 1}}, std::move(style));
  return panel;
}

std::string drawn(const Legend& legend) {
  SvgWriter svg(100, 100, "");
  legend.draw(svg, {0, 0});
  return std::move(svg).finish();
}

std::vector<LegendEntry> many_entries(int count) {
  std::vector<LegendEntry> entries;
  for (int i = 0; i < count; ++i) entries.push_back(LineStyle{.label = "run " + std::to_string(i)});
  return entries;
}

TEST(LegendEntriesTest, HasLabelledSeriesOnce) {
  const auto entries =
      legend_entries(panel_with({{.label = "a"}, {}, {.label = "b"}, {.label = "a"}}));
  ASSERT_EQ(entries.size(), 2u);
  EXPECT_EQ(std::get<LineStyle>(entries[1]).label, "b");
}

TEST(LegendEntriesTest, NestedBandsLookAsInThePlot) {
  const std::vector<double> xs = {0, 1};
  Panel panel("", {}, {});
  panel.add_band(xs, xs, xs, {.opacity = 0.5, .label = "95 %"});
  panel.add_band(xs, xs, xs, {.color = palette(3), .opacity = 0.5, .label = "other"});
  panel.add_band(xs, xs, xs, {.opacity = 0.5, .label = "50 %"});
  const auto entries = legend_entries(panel);
  EXPECT_DOUBLE_EQ(std::get<BandStyle>(entries[0]).opacity, 0.5);
  EXPECT_DOUBLE_EQ(std::get<BandStyle>(entries[1]).opacity, 0.5);
  EXPECT_DOUBLE_EQ(std::get<BandStyle>(entries[2]).opacity, 0.75);
}

TEST(SharedEntriesTest, AgreeingPanelsShare) {
  const std::vector<Panel> panels = {
      panel_with({{.color = palette(0), .label = "a"}}),
      panel_with({{.color = palette(0), .label = "a"}, {.color = palette(1), .label = "b"}})};
  const auto shared = shared_entries(panels);
  ASSERT_TRUE(shared.has_value());
  EXPECT_EQ(shared->size(), 2u);
}

TEST(SharedEntriesTest, ContradictingPanelsDoNot) {
  const Panel blue_a = panel_with({{.color = palette(0), .label = "a"}});
  const Panel blue_b = panel_with({{.color = palette(0), .label = "b"}});
  const Panel red_a = panel_with({{.color = palette(1), .label = "a"}});
  EXPECT_FALSE(shared_entries(std::vector{blue_a, blue_b}).has_value());
  EXPECT_FALSE(shared_entries(std::vector{blue_a, red_a}).has_value());
  EXPECT_TRUE(shared_entries(std::vector{blue_b, red_a}).has_value());
}

TEST(LegendTest, IsEmptyWithoutEntries) {
  const Legend legend({}, 500.0, 3);
  EXPECT_EQ(legend.height(), 0.0);
  EXPECT_THAT(drawn(legend), Not(HasSubstr("<text")));
}

TEST(LegendTest, WrapsAndCountsTheRest) {
  const double one_row = Legend(many_entries(1), 400.0, 3).height();
  EXPECT_EQ(Legend(many_entries(8), 400.0, 3).height(), 2.0 * one_row);
  const Legend full(many_entries(200), 400.0, 3);
  EXPECT_EQ(full.height(), 3.0 * one_row);
  const std::string svg = drawn(full);
  int shown = 0;
  while (svg.find(">run " + std::to_string(shown) + "<") != std::string::npos) ++shown;
  EXPECT_GT(shown, 5);
  EXPECT_THAT(svg, HasSubstr(">+" + std::to_string(200 - shown) + " more<"));
}

TEST(LegendTest, ShortensLongLabels) {
  const std::vector<LegendEntry> entries = {PointStyle{.label = std::string(500, 'x')}};
  EXPECT_THAT(drawn(Legend(entries, 200.0, 3)), HasSubstr("x\u2026</text>"));
}

}  // namespace
}  // namespace cmbo::chart
