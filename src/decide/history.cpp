// SPDX-License-Identifier: Apache-2.0
#include "decide/history.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/check.h"

namespace cmbo::decide {

History::History(curves::CurveTable pool)
    : curves_(std::move(pool)), withheld_(curves_.size(), false) {
  std::fill(curves_.y.begin(), curves_.y.end(), 0.0F);
  std::fill(curves_.lengths.begin(), curves_.lengths.end(), 0U);
}

void History::add(uint32_t configuration, float value, double cost) {
  CHECK(configuration < size() && !finished(configuration), "no such epoch");
  CHECK(std::isfinite(cost) && cost >= 0.0, "an epoch costs nothing or something");
  const float y = std::isnan(value) ? 0.0F : std::clamp(value, 0.0F, 1.0F);
  const uint32_t epoch = ++curves_.lengths[configuration];
  curves_.y[configuration * curves_.horizon + epoch - 1] = y;
  steps_.push_back({configuration, epoch, y, cost});
  best_ = std::max(best_, y);
  spent_ += cost;
}

void History::charge(double cost) {
  CHECK(std::isfinite(cost) && cost >= 0.0, "nothing or something is charged");
  spent_ += cost;
}

void History::withhold(uint32_t configuration) {
  CHECK(configuration < size(), "no such configuration");
  withheld_[configuration] = true;
}

std::vector<uint32_t> History::candidates() const {
  std::vector<uint32_t> open;
  for (uint32_t n = 0; n < size(); ++n) {
    if (is_candidate(n)) open.push_back(n);
  }
  return open;
}

}  // namespace cmbo::decide
