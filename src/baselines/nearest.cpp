// SPDX-License-Identifier: Apache-2.0
#include "baselines/nearest.h"

namespace cmbo::baselines {

namespace {

double squared_distance(std::span<const float> a, std::span<const double> b) {
  double sum = 0.0;
  for (size_t i = 0; i < a.size(); ++i) {
    const double difference = static_cast<double>(a[i]) - b[i];
    sum += difference * difference;
  }
  return sum;
}

}  // namespace

std::optional<uint32_t> nearest(const curves::CurveTable& pool, std::span<const double> x,
                                const std::vector<bool>& taken) {
  std::optional<uint32_t> best;
  double least = 0.0;
  for (uint32_t n = 0; n < pool.size(); ++n) {
    if (taken[n]) continue;
    const double distance = squared_distance(pool.configuration(n), x);
    if (best && distance >= least) continue;
    best = n;
    least = distance;
  }
  return best;
}

}  // namespace cmbo::baselines
