// SPDX-License-Identifier: Apache-2.0
#include "chart/figure.h"

#include <algorithm>
#include <cctype>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/random.h"
#include "chart/chart_testing.h"

namespace cmbo::chart {
namespace {

using testing::HasSubstr;
using testing::Not;

size_t count(const std::string& text, const std::string& part) {
  size_t found = 0;
  for (size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size()) ++found;
  return found;
}

// Whether every tag is closed in order, quotes are even inside of tags, and no bare & occurs.
bool is_well_formed(const std::string& svg) {
  std::vector<std::string> open;
  for (size_t at = svg.find('<'); at != std::string::npos; at = svg.find('<', at)) {
    const size_t end = svg.find('>', at);
    if (end == std::string::npos) return false;
    const std::string tag = svg.substr(at + 1, end - at - 1);
    at = end;
    if (std::count(tag.begin(), tag.end(), '"') % 2 != 0) return false;
    if (tag.find('<') != std::string::npos) return false;
    if (tag.front() == '/') {
      if (open.empty() || open.back() != tag.substr(1)) return false;
      open.pop_back();
    } else if (tag.back() != '/') {
      open.push_back(tag.substr(0, tag.find(' ')));
    }
  }
  const size_t entities =
      count(svg, "&amp;") + count(svg, "&lt;") + count(svg, "&gt;") + count(svg, "&quot;");
  return open.empty() && count(svg, "&") == entities;
}

void expect_sound(const std::string& svg) {
  EXPECT_TRUE(is_well_formed(svg)) << svg;
  std::string lower = svg;
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  EXPECT_THAT(lower, Not(HasSubstr("nan")));
  EXPECT_THAT(lower, Not(HasSubstr("inf")));
}

std::string svg_of(Panel panel) {
  Figure figure("Title", "Subtitle");
  figure.add_panel(std::move(panel));
  return figure.to_svg();
}

TEST(WellFormedTest, TheCheckerCanFail) {
  EXPECT_TRUE(is_well_formed("<a b=\"c\"><d/>&amp;</a>"));
  EXPECT_FALSE(is_well_formed("<a><b></a></b>"));
  EXPECT_FALSE(is_well_formed("<a>"));
  EXPECT_FALSE(is_well_formed("<a b=\"c/>"));
  EXPECT_FALSE(is_well_formed("<a>&</a>"));
}

TEST(FigureTest, OnePanelHasTheSizeOfAReadmePicture) {
  Panel panel("", {"epoch"}, {"accuracy"});
  panel.add_line({{1, 0.1}, {2, 0.7}}, {.label = "best"});
  const std::string svg = svg_of(panel);
  expect_sound(svg);
  EXPECT_THAT(svg, HasSubstr("viewBox=\"0 0 860 520\""));
  for (const char* text : {"Title", "Subtitle", "epoch", "accuracy", "best"}) {
    EXPECT_THAT(svg, HasSubstr(std::string(">") + text + "</text>"));
  }
}

TEST(FigureTest, IsTheSameEveryTime) {
  Panel panel("", {}, {});
  panel.add_points({{1, 2}, {3, 4}});
  EXPECT_EQ(svg_of(panel), svg_of(panel));
}

TEST(FigureTest, SurvivesHostileText) {
  const std::string hostile = "<b>&\"'\xff\x01 ]]> \xED\xA0\x80" + std::string(300, 'W');
  Panel panel(hostile, {hostile}, {hostile});
  panel.add_line({{0, 0}, {1, 1}}, {.color = "\"/><x", .label = hostile});
  panel.add_note(0.5, 0.5, hostile);
  Figure figure(hostile, hostile);
  figure.add_panel(panel);
  expect_sound(figure.to_svg());
  EXPECT_EQ(count(figure.to_svg(), std::string(300, 'W')), 1u) << "only the <title> may be so long";
}

TEST(FigureTest, SurvivesDegenerateData) {
  const std::vector<Polyline> lines = {{},
                                       {{1, 1}},
                                       {{0, 0}},
                                       {{kNan, kNan}},
                                       {{1, kInfinity}, {2, -kInfinity}},
                                       {{1, 5}, {2, 5}, {3, 5}},
                                       {{2, 1}, {2, 3}},
                                       {{-1e300, -1e300}, {1e300, 1e300}},
                                       {{1e-300, 1e-300}, {2e-300, 3e-300}},
                                       {{1, -1}, {2, 0}, {3, 1e308}}};
  for (const Polyline& line : lines) {
    for (const Scale scale : {Scale::kLinear, Scale::kLog}) {
      Panel panel("", {"x", scale}, {"y", scale});
      panel.add_line(line);
      panel.add_points(line);
      for (const Point& point : line) panel.add_note(point.x, point.y, "note");
      expect_sound(svg_of(panel));
    }
  }
}

TEST(FigureTest, SurvivesDegenerateStyles) {
  Panel panel("", {}, {});
  panel.add_line({{0, 0}, {1, 1}}, {.width = kNan, .opacity = kInfinity});
  panel.add_points({{0, 0}}, {.radius = -kInfinity, .opacity = kNan});
  expect_sound(svg_of(panel));
}

TEST(FigureTest, SaysThatThereIsNoData) {
  EXPECT_THAT(svg_of(Panel("", {}, {})), HasSubstr("no data"));
  Panel panel("", {}, {});
  panel.add_points({{1, 1}});
  EXPECT_THAT(svg_of(panel), Not(HasSubstr("no data")));
  expect_sound(Figure("no panels").to_svg());
}

TEST(FigureTest, NanBreaksALine) {
  Panel panel("", {}, {});
  panel.add_line({{1, 1}, {2, 2}, {3, kNan}, {4, 4}, {5, 5}});
  const std::string svg = svg_of(panel);
  EXPECT_EQ(count(svg, "<path"), 1u);
  const size_t path = svg.find("d=\"M");
  EXPECT_EQ(count(svg.substr(path, svg.find("/>", path) - path), "M"), 2u);
}

TEST(FigureTest, ThousandsOfCurvesStaySmall) {
  Random random(1);
  std::vector<Polyline> curves(2000);
  for (Polyline& curve : curves) {
    for (int i = 0; i < 50; ++i) curve.push_back({1.0 * i, random.uniform()});
  }
  Panel opaque("", {}, {}), translucent("", {}, {});
  opaque.add_lines(curves);
  translucent.add_lines(curves, {.opacity = 0.2});
  const std::string svg = svg_of(opaque);
  EXPECT_EQ(count(svg, "<path"), 1u);
  EXPECT_LT(svg.size(), 2000u * 50u * 11u);
  EXPECT_LE(count(svg_of(translucent), "<path"), 40u);
  EXPECT_LT(svg_of(translucent).size(), svg.size() + 1000u);
}

TEST(FigureTest, LimitsClipLinesAndLeaveOutPoints) {
  Panel panel("", {}, {"", Scale::kLinear, 0.0, 1.0});
  panel.add_line({{0, 0.5}, {1, 1e9}});
  panel.add_points({{0, 0.5}, {1, 1e9}}, {.marker = Marker::kSquare});
  panel.add_note(1, 1e9, "far away");
  const std::string svg = svg_of(panel);
  expect_sound(svg);
  const size_t id = svg.find("<clipPath id=\"") + 14;
  const std::string name = svg.substr(id, svg.find('"', id) - id);
  EXPECT_EQ(count(svg, "clip-path=\"url(#" + name + ")\""), 1u);
  EXPECT_EQ(count(svg, "z\"/>"), 1u) << "one square";
  EXPECT_THAT(svg, Not(HasSubstr("far away")));
}

TEST(FigureTest, GridOfPanelsSharesALegend) {
  Figure figure("Grid");
  for (int i = 0; i < 6; ++i) {
    Panel panel("panel " + std::to_string(i), {"x"}, {"y"});
    panel.add_line({{0, 1}, {1, 2}}, {.label = "method"});
    figure.add_panel(panel);
  }
  expect_sound(figure.to_svg());
  EXPECT_EQ(count(figure.to_svg(), ">method<"), 1u);
  EXPECT_EQ(count(figure.to_svg(), ">panel "), 6u);
  EXPECT_EQ(count(figure.to_svg(), "<clipPath"), 1u);

  Panel other("panel 6", {}, {});
  other.add_line({{0, 1}, {1, 2}}, {.color = palette(5), .label = "method"});
  figure.add_panel(other);
  EXPECT_EQ(count(figure.to_svg(), ">method<"), 7u);
}

TEST(FigureDeathTest, ABandNeedsTwoValuesForEachX) {
  const std::vector<double> two = {1, 2}, three = {1, 2, 3};
  Panel panel("", {}, {});
  EXPECT_DEATH(panel.add_band(two, two, three), "two values for each x");
}

}  // namespace
}  // namespace cmbo::chart
