// SPDX-License-Identifier: Apache-2.0
#include "chart/ticks.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "base/check.h"
#include "chart/number.h"

namespace cmbo::chart {
namespace {

// A tick that misses the end of the range by this share of a step is still at the end.
constexpr double kTolerance = 1e-6;
constexpr double kLabelGap = 14.0;             // px between neighbours on a horizontal axis
constexpr double kTypicalLabel = 38.0;         // px along a horizontal axis, with its gap
constexpr double kLinesPerLabel = 2.9;         // along a vertical axis, in units of the font size
constexpr double kTightLinesPerLabel = 1.9;    // the same, where ticks cannot be chosen freely
constexpr double kMaxPlainDecades = 9.0;       // more look better with exponents
constexpr double kMaxDecadesWithMinors = 7.0;  // more would be a grey bar

double power_of_ten(int exponent) {
  return std::pow(10.0, exponent);
}

// count · digit · 10^exponent, rounded once: 3 · 1 · 10^-1 is 0.3.
double multiple(double count, int digit, int exponent) {
  const double base = count * digit;
  return exponent < 0 ? base / power_of_ten(-exponent) : base * power_of_ten(exponent);
}

struct Step {
  int digit;  // 1, 2 or 5
  int exponent;

  double size() const { return multiple(1.0, digit, exponent); }
  Step next() const {
    if (digit == 5) return {1, exponent + 1};
    return {digit == 1 ? 2 : 5, exponent};
  }
};

struct Counts {
  int64_t first, last;
};

Counts multiples_within(Range range, const Step& step) {
  return {std::llround(std::ceil(range.low / step.size() - kTolerance)),
          std::llround(std::floor(range.high / step.size() + kTolerance))};
}

// The room that a label takes along the axis, half to each side of its tick.
double label_extent(const std::string& label, const TickRoom& room) {
  if (room.direction == Direction::kVertical) return kTightLinesPerLabel * room.font.size;
  return text_width(label, room.font) + kLabelGap;
}

struct Interval {
  double low, high;
};

Interval label_interval(const Tick& tick, const AxisMap& map, const TickRoom& room) {
  const double at = std::abs(map(tick.value) - map(map.range().low));
  const double half = 0.5 * label_extent(tick.label, room);
  return {at - half, at + half};
}

// Takes the label off every tick whose label would touch the one before or leave the room.
// Returns how many there were.
int remove_colliding_labels(std::vector<Tick>& ticks, const AxisMap& map, const TickRoom& room) {
  int removed = 0;
  double free_from = -std::numeric_limits<double>::infinity();
  for (Tick& tick : ticks) {
    if (tick.label.empty()) continue;
    const Interval taken = label_interval(tick, map, room);
    const double spare = room.overhang + 0.5 * kLabelGap;
    const bool outside = taken.low < -spare || taken.high > room.length + spare;
    if (outside || taken.low < free_from) {
      tick.label.clear();
      ++removed;
    } else {
      free_from = taken.high;
    }
  }
  return removed;
}

size_t count_labels(const std::vector<Tick>& ticks) {
  return std::count_if(ticks.begin(), ticks.end(), [](const Tick& t) { return !t.label.empty(); });
}

bool fits(std::vector<Tick> ticks, const AxisMap& map, const TickRoom& room) {
  return remove_colliding_labels(ticks, map, room) == 0;
}

int most_labels(const TickRoom& room) {
  const bool vertical = room.direction == Direction::kVertical;
  const double each = vertical ? kLinesPerLabel * room.font.size : kTypicalLabel;
  return std::clamp(static_cast<int>(room.length / each), 2, 12);
}

std::vector<Tick> labelled(const LinearTicks& linear) {
  const auto labels = format_multiples(linear.values, linear.step_exponent);
  std::vector<Tick> ticks;
  for (size_t i = 0; i < labels.size(); ++i) ticks.push_back({linear.values[i], labels[i]});
  return ticks;
}

std::vector<Tick> densest_linear(const AxisMap& map, const TickRoom& room, bool whole) {
  std::vector<Tick> ticks;
  for (int count = most_labels(room); count >= 2; --count) {
    ticks = labelled(linear_ticks(map.range(), count, whole));
    if (fits(ticks, map, room)) break;
  }
  return ticks;
}

struct Decades {
  int first, last;  // exponents of the powers of ten that enclose the range
};

Decades enclosing_decades(Range range) {
  return {static_cast<int>(std::floor(std::log10(range.low) + kTolerance)),
          static_cast<int>(std::ceil(std::log10(range.high) - kTolerance))};
}

double decades_in(Range range) {
  return std::log10(range.high) - std::log10(range.low);
}

// On long axes all labels have exponents: 1e-20, 1, 1e20 belong together.
std::string decade_label(double value, Range range) {
  return decades_in(range) > kMaxPlainDecades ? format_scientific(value) : format_number(value);
}

// All of 1..9 times a power of ten in the range, with labels where `is_labelled(digit, exponent)`.
template <typename Predicate>
std::vector<Tick> digit_ticks(Range range, const Predicate& is_labelled) {
  std::vector<Tick> ticks;
  const Decades decades = enclosing_decades(range);
  for (int exponent = decades.first; exponent <= decades.last; ++exponent) {
    for (int digit = 1; digit <= 9; ++digit) {
      const double value = multiple(1.0, digit, exponent);
      const double slack = kTolerance * value;
      if (value < range.low - slack || value > range.high + slack) continue;
      ticks.push_back({value, is_labelled(digit, exponent) ? decade_label(value, range) : ""});
    }
  }
  return ticks;
}

std::vector<Tick> decade_ticks(const AxisMap& map, const TickRoom& room) {
  std::vector<Tick> ticks;
  for (const int stride : {1, 2, 3, 5, 10, 20, 50, 100, 200}) {
    ticks = digit_ticks(
        map.range(), [&](int digit, int exponent) { return digit == 1 && exponent % stride == 0; });
    if (fits(ticks, map, room)) break;
  }
  if (decades_in(map.range()) > kMaxDecadesWithMinors) {
    std::erase_if(ticks, [](const Tick& tick) { return tick.label.empty(); });
  }
  return ticks;
}

std::vector<Tick> log_ticks(const AxisMap& map, const TickRoom& room, bool whole) {
  const Range range = map.range();
  if (decades_in(range) >= 2.0) return decade_ticks(map, room);
  const auto ticks =
      digit_ticks(range, [](int digit, int) { return digit == 1 || digit == 2 || digit == 5; });
  const bool readable = count_labels(ticks) >= 3 && fits(ticks, map, room);
  return readable ? ticks : densest_linear(map, room, whole);
}

}  // namespace

LinearTicks linear_ticks(Range range, int max_count, bool whole) {
  CHECK(range.high > range.low && max_count >= 2, "no room for ticks");
  const double rough = (range.high - range.low) / max_count;
  Step step = {1, static_cast<int>(std::floor(std::log10(rough))) - 1};
  if (whole && range.high - range.low >= 1.0) step.exponent = std::max(step.exponent, 0);
  Counts counts = multiples_within(range, step);
  while (counts.last - counts.first + 1 > max_count) {
    step = step.next();
    counts = multiples_within(range, step);
  }
  LinearTicks ticks = {{}, step.exponent};
  for (int64_t i = counts.first; i <= counts.last; ++i) {
    ticks.values.push_back(multiple(static_cast<double>(i), step.digit, step.exponent));
  }
  return ticks;
}

std::vector<Tick> make_ticks(const AxisMap& map, const TickRoom& room, bool whole) {
  auto ticks =
      map.scale() == Scale::kLog ? log_ticks(map, room, whole) : densest_linear(map, room, whole);
  remove_colliding_labels(ticks, map, room);
  return ticks;
}

}  // namespace cmbo::chart
