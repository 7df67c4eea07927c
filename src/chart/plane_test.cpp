// SPDX-License-Identifier: Apache-2.0
#include "chart/plane.h"

#include <cmath>
#include <gtest/gtest.h>

#include "chart/chart_testing.h"

namespace cmbo::chart {
namespace {

// One px for each unit, y upwards from 100.
Plane unit_plane(Scale y_scale = Scale::kLinear, Range y = {0.0, 100.0}) {
  return {AxisMap({0.0, 100.0}, Scale::kLinear, 0.0, 100.0), AxisMap(y, y_scale, 100.0, 0.0)};
}

TEST(DrawablePiecesTest, BreaksWhereAPointHasNoPlace) {
  const Polyline line = {{1, 1}, {2, 2}, {3, kNan}, {4, 4}, {kInfinity, 5}, {kNan, 6}, {7, 7}};
  const auto pieces = drawable_pieces(line, unit_plane());
  ASSERT_EQ(pieces.size(), 3u);
  EXPECT_EQ(pieces[0].size(), 2u);
  EXPECT_EQ(pieces[1].size(), 1u);
  EXPECT_EQ(pieces[2].size(), 1u);
  EXPECT_DOUBLE_EQ(pieces[0][1].x, 2.0);
  EXPECT_DOUBLE_EQ(pieces[0][1].y, 98.0);
}

TEST(DrawablePiecesTest, NothingComesFromNothing) {
  EXPECT_TRUE(drawable_pieces({}, unit_plane()).empty());
  const Polyline gone = {{1, kNan}, {2, kNan}};
  EXPECT_TRUE(drawable_pieces(gone, unit_plane()).empty());
}

TEST(DrawablePiecesTest, LogAxisBreaksAtZero) {
  const Polyline line = {{1, 1}, {2, 0}, {3, 10}};
  EXPECT_EQ(drawable_pieces(line, unit_plane(Scale::kLog, {1.0, 10.0})).size(), 2u);
}

TEST(DrawablePiecesTest, ThinsOutCrowdsButKeepsTheirPeaks) {
  Polyline line;
  for (int i = 0; i < 100'000; ++i) line.push_back({i * 0.001, 50.0 + std::sin(i)});
  line[70'123].y = 99.0;
  line[20'456].y = 1.0;
  const auto pieces = drawable_pieces(line, unit_plane());
  ASSERT_EQ(pieces.size(), 1u);
  EXPECT_LE(pieces[0].size(), 4u * 200u);
  double top = 100.0, bottom = 0.0, previous = -1.0;
  for (const Pixel& pixel : pieces[0]) {
    top = std::min(top, pixel.y);
    bottom = std::max(bottom, pixel.y);
    EXPECT_GT(pixel.x, previous);  // none twice, all in order
    previous = pixel.x;
  }
  EXPECT_DOUBLE_EQ(top, 1.0);
  EXPECT_DOUBLE_EQ(bottom, 99.0);
}

TEST(DrawableAreasTest, GoesThereAboveAndBackBelow) {
  const std::vector<BandPoint> band = {{1, 10, 20}, {2, 11, 21}};
  const auto areas = drawable_areas(band, unit_plane());
  ASSERT_EQ(areas.size(), 1u);
  ASSERT_EQ(areas[0].size(), 4u);
  EXPECT_DOUBLE_EQ(areas[0][0].y, 80.0);
  EXPECT_DOUBLE_EQ(areas[0][1].y, 79.0);
  EXPECT_DOUBLE_EQ(areas[0][2].y, 89.0);
  EXPECT_DOUBLE_EQ(areas[0][3].y, 90.0);
}

TEST(DrawableAreasTest, BreaksAndWidensSinglePoints) {
  const std::vector<BandPoint> band = {{1, 10, 20}, {2, kNan, 21}, {3, 10, 20}, {4, 10, 20}};
  const auto areas = drawable_areas(band, unit_plane());
  ASSERT_EQ(areas.size(), 2u);
  EXPECT_GT(areas[0][1].x, areas[0][0].x);
  EXPECT_EQ(areas[1].size(), 4u);
}

TEST(DrawableAreasTest, LowEdgeBelowZeroRunsOffALogAxis) {
  const std::vector<BandPoint> band = {{1, -1.0, 10.0}, {2, 0.0, 10.0}, {3, kNan, 10.0}};
  const auto areas = drawable_areas(band, unit_plane(Scale::kLog, {0.1, 10.0}));
  ASSERT_EQ(areas.size(), 1u);
  EXPECT_DOUBLE_EQ(areas[0][2].y, 100.0);
}

TEST(PlaneOfTest, CountsOnlyPointsWithAPlaceOnBothAxes) {
  Panel panel("", {}, {"", Scale::kLog});
  panel.add_line({{0, 1}, {10, 100}, {1000, -1}, {kNan, 1e9}});
  EXPECT_EQ(panel.x_extent().high(), 10.0);
  EXPECT_EQ(panel.y_extent().high(), 100.0);
  const Plane plane = plane_of(panel, {200.0, 100.0});
  EXPECT_DOUBLE_EQ(plane.x(0.0), 0.0);
  EXPECT_TRUE(plane.contains({10, 100}));
  EXPECT_FALSE(plane.contains({11, 100}));
}

}  // namespace
}  // namespace cmbo::chart
