// SPDX-License-Identifier: Apache-2.0
#include "space/parameter.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace cmbo::space {

namespace {

// Files are often written with fewer digits than their bounds.
constexpr double kRounding = 1e-6;

bool is_category(const Parameter& parameter) {
  return parameter.type == ParameterType::kCategorical || parameter.type == ParameterType::kConst;
}

// Number of grid points low, low + step, ... up to high; the last may miss high by rounding.
uint64_t grid_size(double low, double high, double step) {
  return static_cast<uint64_t>(std::floor((high - low) / step + kRounding)) + 1;
}

// A log int owns half a unit to either side on the linear scale.
struct LogRange {
  double low, width;
};
LogRange log_range(const Parameter& parameter) {
  const double margin = parameter.type == ParameterType::kInt ? 0.5 : 0.0;
  const double low = std::log(parameter.low - margin);
  return {low, std::log(parameter.high + margin) - low};
}

uint64_t index_of(const Parameter& parameter, double value) {
  if (is_category(parameter)) return static_cast<uint64_t>(value);
  return static_cast<uint64_t>(std::llround((value - parameter.low) / parameter.step.value_or(1)));
}

Result<double> parse_category(const Parameter& parameter, const Json& json) {
  const auto found = std::find(parameter.choices.begin(), parameter.choices.end(), json);
  if (found == parameter.choices.end()) {
    return Error(fmt::format("'{}' is not a choice of '{}'; the choices are {}", json.dump(),
                             parameter.name, Json(parameter.choices).dump()));
  }
  return static_cast<double>(found - parameter.choices.begin());
}

// The nearest legal number, if it is as near as rounding explains.
std::optional<double> snap(const Parameter& parameter, double value) {
  const double slack = kRounding * std::max(std::abs(parameter.low), std::abs(parameter.high));
  const double low_slack = parameter.log ? kRounding * parameter.low : slack;
  if (value < parameter.low - low_slack || value > parameter.high + slack) return std::nullopt;
  value = std::clamp(value, parameter.low, parameter.high);
  if (parameter.type == ParameterType::kFloat && !parameter.step) return value;
  const double step = parameter.step.value_or(1.0);
  const double snapped = parameter.low + std::round((value - parameter.low) / step) * step;
  if (std::abs(snapped - value) > kRounding * step) return std::nullopt;
  return std::min(snapped, parameter.high);
}

}  // namespace

std::optional<uint64_t> Parameter::count() const {
  if (is_category(*this)) return choices.size();
  if (step) return grid_size(low, high, *step);
  if (type == ParameterType::kInt) return static_cast<uint64_t>(high - low) + 1;
  if (low == high) return 1;
  return std::nullopt;
}

double Parameter::nth_value(uint64_t index) const {
  const auto position = static_cast<double>(index);
  if (is_category(*this)) return position;
  return std::min(low + position * step.value_or(1.0), high);
}

double Parameter::to_unit(double value) const {
  if (log && low < high) {
    const LogRange range = log_range(*this);
    return std::clamp((std::log(value) - range.low) / range.width, 0.0, 1.0);
  }
  if (const auto values = count()) {
    return (static_cast<double>(index_of(*this, value)) + 0.5) / static_cast<double>(*values);
  }
  return std::clamp((value - low) / (high - low), 0.0, 1.0);
}

double Parameter::from_unit(double unit) const {
  unit = std::clamp(unit, 0.0, 1.0);
  if (log && low < high) {
    const LogRange range = log_range(*this);
    double value = std::exp(range.low + unit * range.width);
    if (type == ParameterType::kInt) value = std::round(value);
    return std::clamp(value, low, high);
  }
  if (const auto values = count()) {
    const auto index = static_cast<uint64_t>(unit * static_cast<double>(*values));
    return nth_value(std::min(index, *values - 1));
  }
  return std::clamp(low + unit * (high - low), low, high);
}

Result<double> Parameter::parse_value(const Json& json) const {
  if (is_category(*this)) return parse_category(*this, json);
  if (!json.is_number()) {
    return Error(fmt::format("'{}' must be a number, not {}", name, json_kind(json)));
  }
  const auto value = json.get<double>();
  if (const auto legal = snap(*this, value)) return *legal;
  const std::string grid = step                          ? fmt::format(" in steps of {}", *step)
                           : type == ParameterType::kInt ? std::string(" in whole numbers")
                                                         : std::string();
  return Error(
      fmt::format("'{}' = {} is outside its range [{}, {}]{}; correct the value or the "
                  "range",
                  name, value, low, high, grid));
}

Json Parameter::value_to_json(double value) const {
  if (is_category(*this)) return choices[static_cast<size_t>(value)];
  if (type == ParameterType::kInt) return static_cast<int64_t>(value);
  return value;
}

}  // namespace cmbo::space
