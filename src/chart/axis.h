// SPDX-License-Identifier: Apache-2.0
//
// Axes: which values they span and where on the screen a value lies.
#pragma once

#include <limits>
#include <optional>
#include <string>

namespace cmbo::chart {

enum class Scale { kLinear, kLog };

// What the user says of an axis. A limit that is not given comes from the data, with a little room
// around it; a limit that cannot be drawn counts as not given, and so do two that are not in order.
struct Axis {
  std::string label = {};
  Scale scale = Scale::kLinear;
  std::optional<double> low = {};
  std::optional<double> high = {};
};

struct Range {
  double low = 0.0;
  double high = 1.0;
};

// Whether `value` has a place on such an axis: finite, of a size up to 1e300, and on a logarithmic
// axis from 1e-300. Other values leave a gap.
bool is_drawable(double value, Scale scale);

// The smallest range with all the drawable values seen.
class Extent {
 public:
  explicit Extent(Scale scale) : scale_(scale) {}

  void include(double value);

  bool empty() const { return low_ > high_; }
  double low() const { return low_; }
  double high() const { return high_; }
  // All values are whole numbers, as epochs and steps are.
  bool whole() const { return whole_ && !empty(); }

 private:
  Scale scale_;
  double low_ = std::numeric_limits<double>::infinity();
  double high_ = -std::numeric_limits<double>::infinity();
  bool whole_ = true;
};

// What `axis` spans: never empty, drawable at both ends, and wide enough to tell its ends apart,
// whatever the data. `padding` is the room at a limit from the data, as a share of the range.
Range axis_range(const Axis& axis, const Extent& data, double padding);

// Maps the values of an axis to px along it.
class AxisMap {
 public:
  AxisMap(Range range, Scale scale, double px_at_low, double px_at_high);

  Range range() const { return range_; }
  Scale scale() const { return scale_; }
  bool is_drawable(double value) const { return chart::is_drawable(value, scale_); }
  // Drawable, and within the range.
  bool contains(double value) const;
  // Beyond the pixels of the range for values beyond the range; `value` must be drawable.
  double operator()(double value) const;

 private:
  Range range_;
  Scale scale_;
  double px_at_low_;
  double px_at_high_;
};

}  // namespace cmbo::chart
