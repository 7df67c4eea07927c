// SPDX-License-Identifier: Apache-2.0
#include "study/metric_scale.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <vector>

#include "base/check.h"

namespace cmbo::study {

namespace {

using curves::Bounds;

double sorted_quantile(const std::vector<double>& sorted, double level) {
  return sorted[static_cast<size_t>(level * static_cast<double>(sorted.size() - 1))];
}

// The finite values, sorted: all of them, or those of first epochs.
std::vector<double> finite_values(const Facts& facts, bool first_only) {
  std::vector<double> values;
  for (const Observation& observation : facts.observations()) {
    if (first_only && observation.step != 1) continue;
    if (std::isfinite(observation.value)) values.push_back(observation.value);
  }
  std::sort(values.begin(), values.end());
  return values;
}

MetricScale make_scale(const Metric& metric, const Bounds& bounds, const std::string& how) {
  auto normalization = curves::Normalization::create(bounds, metric.goal);
  CHECK(normalization.ok(), normalization.error().message());
  return {*normalization, metric.name + " " + how};
}

MetricScale loss_scale(const Metric& metric, const Facts& facts) {
  const std::vector<double> first = finite_values(facts, true);
  const double typical = first.empty() ? 1.0 : sorted_quantile(first, 0.5);
  const double high = typical > 0.0 ? typical : 1.0;
  return make_scale(metric, {.hard_low = 0.0, .soft_low = 0.0, .soft_high = high},
                    fmt::format("is taken for a loss: 0 is best, and {:.4g}, the median after one "
                                "epoch, is where it begins",
                                high));
}

MetricScale estimated_scale(const Metric& metric, const std::vector<double>& values) {
  const double low = sorted_quantile(values, 0.05), high = sorted_quantile(values, 0.95);
  const double margin =
      std::max({0.5 * (high - low), 1e-6 * std::max(std::abs(low), std::abs(high)), 1e-9});
  Bounds bounds{.soft_low = low - margin, .soft_high = high + margin};
  // A value beyond an end that was given is a wrong end, and the values are right.
  if (metric.range.low) bounds.hard_low = std::min(*metric.range.low, values.front());
  if (metric.range.high) bounds.hard_high = std::max(*metric.range.high, values.back());
  bounds.soft_low = std::max(bounds.soft_low, bounds.hard_low);
  bounds.soft_high = std::min(bounds.soft_high, bounds.hard_high);
  if (!(bounds.soft_low < bounds.soft_high)) bounds.soft_high = bounds.soft_low + margin;
  return make_scale(
      metric, bounds,
      fmt::format("has no known range: what was seen, mostly from {:.4g} to {:.4g}, is spread out",
                  low, high));
}

}  // namespace

MetricScale metric_scale(const Metric& metric, const Facts& facts) {
  const std::vector<double> values = finite_values(facts, false);
  const auto& [low, high] = metric.range;
  if (low && high) {
    return make_scale(metric, {*low, *high, *low, *high},
                      fmt::format("goes from {} to {}, as the study file says", *low, *high));
  }
  const bool from_zero = (values.empty() || values.front() >= 0.0) && low.value_or(0.0) == 0.0;
  const bool to_one = (values.empty() || values.back() <= 1.0) && high.value_or(1.0) == 1.0;
  if (metric.goal == curves::Goal::kMaximize && from_zero && to_one) {
    return make_scale(metric, {0.0, 1.0, 0.0, 1.0},
                      "is taken for a share: all values are from 0 to 1");
  }
  if (metric.goal == curves::Goal::kMinimize && from_zero && !high) {
    return loss_scale(metric, facts);
  }
  if (values.empty()) return make_scale(metric, {}, "has shown no value yet");
  return estimated_scale(metric, values);
}

}  // namespace cmbo::study
