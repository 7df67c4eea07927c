// SPDX-License-Identifier: Apache-2.0
//
// What a training reports.
#pragma once

#include <string>

#include "curves/task.h"

namespace cmbo::study {

struct Metric {
  std::string name;                             // the key of the reports
  curves::Goal goal = curves::Goal::kMaximize;  // `maximize` or `minimize`
  curves::Range range = {};                     // [low, high], null = open; see metric_scale.h

  // Whether `a` is a better value than `b`; what is not finite is worse than all that is.
  bool better(double a, double b) const;
};

}  // namespace cmbo::study
