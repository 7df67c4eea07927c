// SPDX-License-Identifier: Apache-2.0
//
// From a metric's own units to [0,1], larger is better, and back; the LC-PFN convention:
//
//   l(x) = 2 (x - s) / (S - s) - 1          soft bounds [s, S]: where values are expected
//   sigma = 1 / (1 + exp(-l(x)))
//   y = (sigma - a) / (b - a)               a, b = sigma at the hard bounds lb, ub; 0, 1 if
//   infinite y = 1 - y                               for a metric that is minimized
//
// A value that is not finite (diverged) is the worst there is: 0.
#pragma once

#include <limits>
#include <optional>
#include <string_view>

#include "base/result.h"
#include "curves/task.h"

namespace cmbo::curves {

struct Bounds {
  double hard_low = -std::numeric_limits<double>::infinity();
  double hard_high = std::numeric_limits<double>::infinity();
  double soft_low = 0.0;
  double soft_high = 1.0;
};

class Normalization {
 public:
  // Needs finite soft bounds in order, and hard bounds around something of them.
  static Result<Normalization> create(const Bounds& bounds, Goal goal);

  // Values beyond a hard bound count as the bound.
  double normalize(double value) const;
  // The inverse on [0,1], exact to floating-point precision wherever sigma is not saturated; an
  // infinite hard bound comes back as infinity.
  double invert(double normalized) const;

  const Bounds& bounds() const { return bounds_; }
  Goal goal() const { return goal_; }

 private:
  Normalization(const Bounds& bounds, Goal goal);
  double sigma(double value) const;

  Bounds bounds_;
  Goal goal_;
  double sigma_low_;   // a
  double sigma_high_;  // b
};

// How the bounds of a task are found.
enum class Preset {
  kAuto,       // taskset, accuracy or estimated, whichever fits the values
  kTaskset,    // a loss: hard [0, inf), soft [0, mean value before training]
  kAccuracy,   // hard [0, 1], soft = the task's smallest and largest value
  kEstimated,  // no natural bounds: hard = the header's range, soft = the 2 % and 98 % quantiles
};

std::string_view preset_name(Preset preset);
std::optional<Preset> preset_from_name(std::string_view name);

// The preset that kAuto stands for with this task.
Preset resolve_preset(const Task& task, Preset preset);

// Fails if the preset does not fit, e.g. `accuracy` with values above 1.
Result<Normalization> normalization_of(const Task& task, Preset preset = Preset::kAuto);

}  // namespace cmbo::curves
