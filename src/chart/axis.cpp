// SPDX-License-Identifier: Apache-2.0
#include "chart/axis.h"

#include <algorithm>
#include <cmath>

namespace cmbo::chart {
namespace {

constexpr double kLargest = 1e300;
// Narrower ranges, relative to their values, are as good as constant: their tick labels would
// differ in the eleventh digit only.
constexpr double kNarrowest = 1e-10;

// Axes are straight in "scaled" values: the value itself or its decimal logarithm.
double to_scaled(double value, Scale scale) {
  return scale == Scale::kLog ? std::log10(value) : value;
}

double from_scaled(double scaled, Scale scale) {
  return scale == Scale::kLog ? std::pow(10.0, scaled) : scaled;
}

std::optional<double> usable(const std::optional<double>& limit, Scale scale) {
  return limit && is_drawable(*limit, scale) ? limit : std::nullopt;
}

bool is_narrow(double low, double high, Scale scale) {
  // A difference of logarithms is relative already.
  const double size = scale == Scale::kLog ? 1.0 : std::max(std::abs(low), std::abs(high));
  return high - low <= std::max(kNarrowest * size, 1.0 / kLargest);
}

// How far a constant is from the ends of its axis.
double constant_margin(double scaled, Scale scale, bool whole) {
  if (scale == Scale::kLog) return 0.5;
  if (scaled == 0.0 || (whole && std::abs(scaled) < 1e9)) return 1.0;
  return 0.1 * std::abs(scaled);
}

struct Limits {
  double low, high;  // scaled
  bool low_fixed, high_fixed;
};

Limits find_limits(const Axis& axis, const Extent& data) {
  auto low = usable(axis.low, axis.scale), high = usable(axis.high, axis.scale);
  if (low && high && *low >= *high) low = high = std::nullopt;
  const double first = axis.scale == Scale::kLog ? 0.1 : 0.0;
  const double data_low = data.empty() ? std::min(first, high.value_or(first)) : data.low();
  const double data_high = data.empty() ? std::max(1.0, low.value_or(1.0)) : data.high();
  return {to_scaled(low.value_or(data_low), axis.scale),
          to_scaled(high.value_or(data_high), axis.scale), low.has_value(), high.has_value()};
}

// Moves the free ends of a range that is too narrow, or the wrong way round, apart.
void widen(Limits& limits, Scale scale, bool whole) {
  if (!is_narrow(limits.low, limits.high, scale)) return;
  const double middle = limits.high_fixed ? limits.high : limits.low;
  const double margin = constant_margin(middle, scale, whole);
  const bool both = limits.low_fixed == limits.high_fixed;
  limits.low = middle - (both || limits.high_fixed ? margin : 0.0);
  limits.high = middle + (both || limits.low_fixed ? margin : 0.0);
}

// Room around the data, but not across zero: what is never negative gets no negative axis.
void pad(Limits& limits, Scale scale, double padding) {
  const double room = padding * (limits.high - limits.low);
  const bool stop_at_zero = scale == Scale::kLinear;
  const double low = limits.low, high = limits.high;
  if (!limits.low_fixed)
    limits.low = stop_at_zero && low >= 0 ? std::max(0.0, low - room) : low - room;
  if (!limits.high_fixed) {
    limits.high = stop_at_zero && high <= 0 ? std::min(0.0, high + room) : high + room;
  }
}

}  // namespace

bool is_drawable(double value, Scale scale) {
  if (!std::isfinite(value) || std::abs(value) > kLargest) return false;
  return scale == Scale::kLinear || value >= 1.0 / kLargest;
}

void Extent::include(double value) {
  if (!is_drawable(value, scale_)) return;
  low_ = std::min(low_, value);
  high_ = std::max(high_, value);
  whole_ = whole_ && value == std::floor(value);
}

Range axis_range(const Axis& axis, const Extent& data, double padding) {
  Limits limits = find_limits(axis, data);
  widen(limits, axis.scale, data.whole());
  pad(limits, axis.scale, padding);
  const double largest = to_scaled(kLargest, axis.scale);
  return {from_scaled(std::max(limits.low, -largest), axis.scale),
          from_scaled(std::min(limits.high, largest), axis.scale)};
}

AxisMap::AxisMap(Range range, Scale scale, double px_at_low, double px_at_high)
    : range_(range), scale_(scale), px_at_low_(px_at_low), px_at_high_(px_at_high) {}

bool AxisMap::contains(double value) const {
  return is_drawable(value) && value >= range_.low && value <= range_.high;
}

double AxisMap::operator()(double value) const {
  const double low = to_scaled(range_.low, scale_), high = to_scaled(range_.high, scale_);
  const double share = (to_scaled(value, scale_) - low) / (high - low);
  return px_at_low_ + share * (px_at_high_ - px_at_low_);
}

}  // namespace cmbo::chart
