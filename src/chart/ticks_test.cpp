// SPDX-License-Identifier: Apache-2.0
#include "chart/ticks.h"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/random.h"
#include "chart/number.h"

namespace cmbo::chart {
namespace {

using testing::ElementsAre;

using Labels = std::vector<std::string>;

constexpr TickRoom kWide = {Direction::kHorizontal, {12.0}, 700.0, 24.0};
constexpr TickRoom kTall = {Direction::kVertical, {12.0}, 300.0, 10.0};

std::vector<Tick> ticks_of(Range range, Scale scale, const TickRoom& room, bool whole = false) {
  return make_ticks(AxisMap(range, scale, 0.0, room.length), room, whole);
}

Labels labels_of(const std::vector<Tick>& ticks) {
  Labels labels;
  for (const Tick& tick : ticks) {
    if (!tick.label.empty()) labels.push_back(tick.label);
  }
  return labels;
}

TEST(FormatNumberTest, IsShort) {
  EXPECT_EQ(format_number(0.0), "0");
  EXPECT_EQ(format_number(0.001), "0.001");
  EXPECT_EQ(format_number(1e-5), "1e-5");
  EXPECT_EQ(format_number(2.5e-5), "2.5e-5");
  EXPECT_EQ(format_number(-0.25), "-0.25");
  EXPECT_EQ(format_number(1000.0), "1000");
  EXPECT_EQ(format_number(20'000.0), "20k");
  EXPECT_EQ(format_number(1.5e6), "1.5M");
  EXPECT_EQ(format_number(1e20), "1e20");
  EXPECT_EQ(format_scientific(1e4), "1e4");
  EXPECT_EQ(format_scientific(1.0), "1");
}

TEST(FormatMultiplesTest, AllHaveTheSameDecimalsAndUnit) {
  EXPECT_EQ(format_multiples(std::vector{0.0, 0.5, 1.0}, -1), (Labels{"0", "0.5", "1.0"}));
  EXPECT_EQ(format_multiples(std::vector{0.0, 5e3, 1e4}, 3), (Labels{"0", "5k", "10k"}));
  EXPECT_EQ(format_multiples(std::vector{5e5, 1e6}, 5), (Labels{"0.5M", "1.0M"}));
  EXPECT_EQ(format_multiples(std::vector{1.2e-4, 1.4e-4}, -5), (Labels{"1.2e-4", "1.4e-4"}));
  EXPECT_EQ(format_multiples(std::vector{1e9 + 1, 1e9 + 2}, 0),
            (Labels{"1000000001", "1000000002"}));
}

TEST(LinearTicksTest, AreExactMultiplesOfNiceSteps) {
  EXPECT_THAT(linear_ticks({0.0, 1.0}, 6).values, ElementsAre(0.0, 0.2, 0.4, 0.6, 0.8, 1.0));
  EXPECT_THAT(linear_ticks({0.0, 1.0}, 11).values,
              ElementsAre(0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0));
  EXPECT_THAT(linear_ticks({0.0, 1.0}, 3).values, ElementsAre(0.0, 0.5, 1.0));
  EXPECT_THAT(linear_ticks({-7.0, 13.0}, 5).values, ElementsAre(-5.0, 0.0, 5.0, 10.0));
  EXPECT_THAT(linear_ticks({1.0, 50.0}, 4).values, ElementsAre(20.0, 40.0));
  EXPECT_THAT(linear_ticks({0.98, 1.01}, 4).values, ElementsAre(0.98, 0.99, 1.0, 1.01));
}

TEST(LinearTicksTest, CanBeWholeNumbers) {
  EXPECT_THAT(linear_ticks({1.0, 3.0}, 9, true).values, ElementsAre(1.0, 2.0, 3.0));
  EXPECT_THAT(linear_ticks({1.0, 3.0}, 5).values, ElementsAre(1.0, 1.5, 2.0, 2.5, 3.0));
  EXPECT_THAT(linear_ticks({0.2, 0.8}, 4, true).values, ElementsAre(0.2, 0.4, 0.6, 0.8));
}

TEST(MakeTicksTest, LinearAxis) {
  EXPECT_THAT(labels_of(ticks_of({0.0, 1.0}, Scale::kLinear, kTall)),
              ElementsAre("0", "0.2", "0.4", "0.6", "0.8", "1.0"));
  EXPECT_THAT(labels_of(ticks_of({0.0, 60'000.0}, Scale::kLinear, kWide)),
              ElementsAre("0", "10k", "20k", "30k", "40k", "50k", "60k"));
}

TEST(MakeTicksTest, LogAxisHasDecadesAndMinorTicks) {
  const auto ticks = ticks_of({1e-5, 1.0}, Scale::kLog, kTall);
  EXPECT_THAT(labels_of(ticks), ElementsAre("1e-5", "1e-4", "0.001", "0.01", "0.1", "1"));
  EXPECT_EQ(ticks.size(), 5u * 9u + 1u);
  EXPECT_EQ(ticks[1].value, 2e-5);
}

TEST(MakeTicksTest, LongLogAxisSkipsDecades) {
  const auto ticks = ticks_of({1e-40, 1e40}, Scale::kLog, kTall);
  EXPECT_THAT(labels_of(ticks),
              ElementsAre("1e-40", "1e-30", "1e-20", "1e-10", "1", "1e10", "1e20", "1e30", "1e40"));
  EXPECT_EQ(ticks.size(), 9u);
}

TEST(MakeTicksTest, ShortLogAxisIsReadable) {
  EXPECT_THAT(labels_of(ticks_of({0.02, 1.0}, Scale::kLog, kTall)),
              ElementsAre("0.02", "0.05", "0.1", "0.2", "0.5", "1"));
  EXPECT_THAT(labels_of(ticks_of({0.3, 0.6}, Scale::kLog, kTall)),
              ElementsAre("0.30", "0.35", "0.40", "0.45", "0.50", "0.55", "0.60"));
}

// Whatever the range: some labels, all inside of the range, distinct and apart.
void expect_readable(Range range, Scale scale, const TickRoom& room) {
  const auto ticks = ticks_of(range, scale, room);
  const AxisMap map(range, scale, 0.0, room.length);
  const Labels labels = labels_of(ticks);
  EXPECT_FALSE(labels.empty()) << range.low << " .. " << range.high;
  EXPECT_LE(ticks.size(), 100u);
  double free_from = -room.overhang;
  std::string previous;
  for (const Tick& tick : ticks) {
    if (tick.label.empty()) continue;
    const bool vertical = room.direction == Direction::kVertical;
    const double half = 0.5 * (vertical ? room.font.size : text_width(tick.label, room.font));
    EXPECT_GE(map(tick.value) - half, free_from) << range.low << " .. " << range.high;
    EXPECT_LE(map(tick.value) + half, room.length + room.overhang);
    EXPECT_NE(tick.label, previous);
    free_from = map(tick.value) + half + 3.0;
    previous = tick.label;
  }
}

TEST(MakeTicksTest, LabelsNeverTouch) {
  Random random(5);
  for (int i = 0; i < 3000; ++i) {
    const Scale scale = random.chance(0.5) ? Scale::kLinear : Scale::kLog;
    const double base = std::pow(10.0, random.uniform(-12.0, 12.0));
    const double span = std::pow(10.0, random.uniform(-6.0, 3.0));
    const double sign = scale == Scale::kLinear && random.chance(0.3) ? -1.0 : 1.0;
    const double low = sign * base, high = low + base * span;
    TickRoom room = random.chance(0.5) ? kWide : kTall;
    room.length = random.uniform(150.0, 800.0);
    expect_readable({low, high}, scale, room);
  }
}

}  // namespace
}  // namespace cmbo::chart
