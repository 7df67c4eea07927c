// SPDX-License-Identifier: Apache-2.0
#include "curves/normalization.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <vector>

namespace cmbo::curves {

namespace {

constexpr std::array<std::pair<std::string_view, Preset>, 4> kPresetNames = {{
    {"auto", Preset::kAuto},
    {"taskset", Preset::kTaskset},
    {"accuracy", Preset::kAccuracy},
    {"estimated", Preset::kEstimated},
}};

std::vector<float> sorted_finite_values(const Task& task) {
  std::vector<float> values;
  values.reserve(task.values().size());
  std::copy_if(task.values().begin(), task.values().end(), std::back_inserter(values),
               [](float value) { return std::isfinite(value); });
  std::sort(values.begin(), values.end());
  return values;
}

// Soft bounds need a width; curves that are all alike get an artificial one.
void widen_if_flat(Bounds& bounds) {
  if (bounds.soft_high > bounds.soft_low) return;
  const double margin = std::max(0.5 * std::abs(bounds.soft_low), 1e-3);
  bounds.soft_low -= margin;
  bounds.soft_high += margin;
}

double quantile(const std::vector<float>& sorted, double level) {
  return static_cast<double>(
      sorted[static_cast<size_t>(level * static_cast<double>(sorted.size() - 1))]);
}

Error misfit(const Task& task, Preset preset, std::string_view why) {
  return Error(fmt::format("{}: the normalization '{}' does not fit: {}; use 'estimated'",
                           task.name(), preset_name(preset), why));
}

}  // namespace

Normalization::Normalization(const Bounds& bounds, Goal goal)
    : bounds_(bounds),
      goal_(goal),
      sigma_low_(std::isinf(bounds.hard_low) ? 0.0 : sigma(bounds.hard_low)),
      sigma_high_(std::isinf(bounds.hard_high) ? 1.0 : sigma(bounds.hard_high)) {}

Result<Normalization> Normalization::create(const Bounds& bounds, Goal goal) {
  if (!std::isfinite(bounds.soft_low) || !std::isfinite(bounds.soft_high) ||
      !(bounds.soft_low < bounds.soft_high)) {
    return Error(fmt::format("the soft bounds [{}, {}] must be finite and in order",
                             bounds.soft_low, bounds.soft_high));
  }
  const Normalization result(bounds, goal);
  if (!(bounds.hard_low < bounds.hard_high) || !(result.sigma_low_ < result.sigma_high_)) {
    return Error(fmt::format("the hard bounds [{}, {}] leave no room around the soft ones [{}, {}]",
                             bounds.hard_low, bounds.hard_high, bounds.soft_low, bounds.soft_high));
  }
  return result;
}

double Normalization::sigma(double value) const {
  const double width = bounds_.soft_high - bounds_.soft_low;
  const double scaled = 2.0 * (value - bounds_.soft_low) / width - 1.0;
  return 1.0 / (1.0 + std::exp(-scaled));
}

double Normalization::normalize(double value) const {
  if (!std::isfinite(value)) return 0.0;
  const double bounded = std::clamp(value, bounds_.hard_low, bounds_.hard_high);
  const double share = (sigma(bounded) - sigma_low_) / (sigma_high_ - sigma_low_);
  return std::clamp(goal_ == Goal::kMinimize ? 1.0 - share : share, 0.0, 1.0);
}

double Normalization::invert(double normalized) const {
  const double share = goal_ == Goal::kMinimize ? 1.0 - normalized : normalized;
  const double level = sigma_low_ + share * (sigma_high_ - sigma_low_);
  const double scaled = std::log(level) - std::log1p(-level);
  const double width = bounds_.soft_high - bounds_.soft_low;
  const double value = bounds_.soft_low + (scaled + 1.0) * width / 2.0;
  return std::clamp(value, bounds_.hard_low, bounds_.hard_high);
}

std::string_view preset_name(Preset preset) {
  return std::find_if(kPresetNames.begin(), kPresetNames.end(),
                      [&](const auto& entry) { return entry.second == preset; })
      ->first;
}

std::optional<Preset> preset_from_name(std::string_view name) {
  for (const auto& [known, preset] : kPresetNames) {
    if (known == name) return preset;
  }
  return std::nullopt;
}

Preset resolve_preset(const Task& task, Preset preset) {
  if (preset != Preset::kAuto) return preset;
  const std::vector<float> values = sorted_finite_values(task);
  if (values.empty()) return Preset::kEstimated;
  const bool from_zero = values.front() >= 0.0f;
  const bool is_share = from_zero && values.back() <= 1.0f;
  if (task.header().goal == Goal::kMinimize && from_zero && task.initial_value().value_or(0) > 0) {
    return Preset::kTaskset;
  }
  return task.header().goal == Goal::kMaximize && is_share ? Preset::kAccuracy : Preset::kEstimated;
}

Result<Normalization> normalization_of(const Task& task, Preset preset) {
  preset = resolve_preset(task, preset);
  const std::vector<float> values = sorted_finite_values(task);
  if (values.empty()) return misfit(task, preset, "no value of the task is finite");
  Bounds bounds;
  if (preset == Preset::kTaskset) {
    const double initial = task.initial_value().value_or(0.0);
    if (initial <= 0) return misfit(task, preset, "it needs a positive value before training");
    if (values.front() < 0.0f) return misfit(task, preset, "some values are below 0");
    bounds = {.hard_low = 0.0, .soft_low = 0.0, .soft_high = initial};
  } else if (preset == Preset::kAccuracy) {
    if (values.front() < 0.0f || values.back() > 1.0f) {
      return misfit(task, preset, "some values are outside [0, 1]");
    }
    bounds = {0.0, 1.0, quantile(values, 0.0), quantile(values, 1.0)};
  } else {
    if (task.header().range.low) bounds.hard_low = *task.header().range.low;
    if (task.header().range.high) bounds.hard_high = *task.header().range.high;
    bounds.soft_low = quantile(values, 0.02);
    bounds.soft_high = quantile(values, 0.98);
  }
  widen_if_flat(bounds);
  return Normalization::create(bounds, task.header().goal);
}

}  // namespace cmbo::curves
