// SPDX-License-Identifier: Apache-2.0
#include "chart/svg.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "chart/chart_testing.h"
#include "chart/path.h"

namespace cmbo::chart {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(SvgNumberTest, IsShortAndFinite) {
  EXPECT_EQ(svg_number(1.0), "1");
  EXPECT_EQ(svg_number(0.15), "0.15");
  EXPECT_EQ(svg_number(100.0), "100");
  EXPECT_EQ(svg_number(2.499999), "2.5");
  EXPECT_EQ(svg_number(-0.001), "0");
  EXPECT_EQ(svg_number(kNan), "0");
  EXPECT_EQ(svg_number(-kInfinity), "0");
}

TEST(SvgWriterTest, EscapesTextAndAttributes) {
  SvgWriter svg(10, 10, "a < b & \"c\"");
  svg.element("path", {{"d", "M\"0<&"}});
  svg.text({1, 2}, "<script>\x01", {});
  const std::string out = std::move(svg).finish();
  EXPECT_THAT(out, HasSubstr("<title>a &lt; b &amp; &quot;c&quot;</title>"));
  EXPECT_THAT(out, HasSubstr("d=\"M&quot;0&lt;&amp;\"/>"));
  EXPECT_THAT(out, HasSubstr(">&lt;script&gt;\uFFFD</text>"));
}

TEST(SvgWriterTest, ClosesWhatIsOpen) {
  SvgWriter svg(10, 10, "");
  svg.open("g");
  svg.open("g", {{"fill", "none"}});
  EXPECT_TRUE(std::move(svg).finish().ends_with("<g>\n<g fill=\"none\">\n</g>\n</g>\n</svg>\n"));
}

TEST(SvgWriterTest, LeavesOutEmptyText) {
  SvgWriter svg(10, 10, "");
  svg.text({1, 2}, "", {});
  EXPECT_THAT(std::move(svg).finish(), Not(HasSubstr("<text")));
}

TEST(PathBuilderTest, IsRelativeAndShort) {
  PathBuilder path;
  path.move_to({1, 2});
  path.line_to({1.5, 2});
  path.line_to({11.75, -3.5});
  path.line_to({11.5, -3.5});
  path.close();
  EXPECT_EQ(path.data(), "M1 2l.5 0 10.3-5.5-.3 0z");
}

TEST(PathBuilderTest, RoundingDoesNotAddUp) {
  PathBuilder path;
  std::vector<Pixel> line;
  for (int i = 0; i <= 100; ++i) line.push_back({0.04 * i, 0.0});
  path.polyline(line);
  size_t steps = 0;
  for (size_t at = 0; (at = path.data().find(".1 0", at)) != std::string::npos; ++at) ++steps;
  EXPECT_EQ(steps, 40u);  // 100 · 0.04 px in steps of 0.1 px
}

TEST(PathBuilderTest, KeepsFarAwayPointsFinite) {
  PathBuilder path;
  path.move_to({kNan, kInfinity});
  path.line_to({-kInfinity, 1e300});
  EXPECT_EQ(path.data(), "M0 100000l-100000 0");
}

TEST(PathBuilderTest, ASinglePointIsADot) {
  PathBuilder path;
  const Pixel at = {5, 5};
  path.polyline({&at, 1});
  EXPECT_EQ(path.data(), "M4 5a1 1 0 1 0 2 0a1 1 0 1 0-2 0z");
}

}  // namespace
}  // namespace cmbo::chart
