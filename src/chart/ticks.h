// SPDX-License-Identifier: Apache-2.0
//
// Where an axis has ticks, and what is written there.
#pragma once

#include <string>
#include <vector>

#include "chart/axis.h"
#include "chart/text.h"

namespace cmbo::chart {

struct Tick {
  double value = 0.0;
  std::string label;  // empty = a minor tick
};

// Multiples of 1, 2 or 5 times a power of ten.
struct LinearTicks {
  std::vector<double> values;
  int step_exponent = 0;  // the power of ten
};

// The multiples within `range` of the smallest such step that gives at most `max_count` of them
// (>= 2), and is a whole number if `whole` and the range is not shorter than one.
LinearTicks linear_ticks(Range range, int max_count, bool whole = false);

enum class Direction { kHorizontal, kVertical };

// The room for labels. A label is centred on its tick and may extend `overhang` px over the ends.
struct TickRoom {
  Direction direction = Direction::kHorizontal;
  Font font;
  double length = 0.0;  // of the axis, in px
  double overhang = 20.0;
};

// The ticks of an axis that is mapped by `map`, by increasing value, and as dense as the room
// allows without labels that touch. Logarithmic axes of two decades or more are labelled at powers
// of ten and have minor ticks between; shorter ones are labelled at 1, 2, 5, or like linear ones.
// `whole`: label whole numbers only, if the range has any.
std::vector<Tick> make_ticks(const AxisMap& map, const TickRoom& room, bool whole = false);

}  // namespace cmbo::chart
