// SPDX-License-Identifier: Apache-2.0
#include "study/metric.h"

#include <cmath>

namespace cmbo::study {

bool Metric::better(double a, double b) const {
  if (!std::isfinite(a) || !std::isfinite(b)) return std::isfinite(a) && !std::isfinite(b);
  return goal == curves::Goal::kMaximize ? a > b : a < b;
}

}  // namespace cmbo::study
