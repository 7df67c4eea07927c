// SPDX-License-Identifier: Apache-2.0
#include "chart/number.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <string_view>

namespace cmbo::chart {
namespace {

struct Unit {
  int exponent;
  std::string_view suffix;
};
constexpr Unit kUnits[] = {{12, "T"}, {9, "G"}, {6, "M"}, {3, "k"}, {0, ""}};
constexpr Unit kPlain = {0, ""};
// Outside of [kSmallestPlain, kLargestPlain) numbers need an exponent.
constexpr double kSmallestPlain = 0.99e-3;
constexpr double kLargestPlain = 0.99e15;
// Numbers below this need no unit: 2000 is as short as 2k, nearly.
constexpr double kNeedsUnit = 0.99e4;

int exponent_of(double size) {
  return static_cast<int>(std::floor(std::log10(size) + 1e-9));
}

std::string without_trailing_zeros(std::string text) {
  if (text.find('.') == std::string::npos) return text;
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

std::string fixed(double value, int decimals) {
  return fmt::format("{:.{}f}", value, std::max(decimals, 0));
}

// `lowest`: the exponent of the last digit to be shown.
std::string scientific(double value, int lowest) {
  if (value == 0.0) return "0";
  const int exponent = exponent_of(std::abs(value));
  const double mantissa = value / std::pow(10.0, exponent);
  return without_trailing_zeros(fixed(mantissa, exponent - lowest)) + fmt::format("e{}", exponent);
}

// The largest unit in which a step needs at most one decimal; none for small numbers.
Unit unit_for(double largest, int step_exponent) {
  if (largest < kNeedsUnit) return kPlain;
  for (const Unit& unit : kUnits) {
    if (largest >= 0.99 * std::pow(10.0, unit.exponent) && step_exponent >= unit.exponent - 1) {
      return unit;
    }
  }
  return kPlain;
}

std::string with_unit(double value, int lowest, const Unit& unit) {
  if (value == 0.0) return "0";
  return fixed(value / std::pow(10.0, unit.exponent), unit.exponent - lowest).append(unit.suffix);
}

}  // namespace

std::string format_scientific(double value) {
  if (value == 0.0) return "0";
  const int exponent = exponent_of(std::abs(value));
  return exponent == 0 ? format_number(value) : scientific(value, exponent - 3);
}

std::string format_number(double value) {
  if (value == 0.0) return "0";
  const double size = std::abs(value);
  const int lowest = exponent_of(size) - 3;
  if (size < kSmallestPlain || size >= kLargestPlain) return scientific(value, lowest);
  const Unit unit = unit_for(size, exponent_of(size));
  const double in_unit = value / std::pow(10.0, unit.exponent);
  return without_trailing_zeros(fixed(in_unit, unit.exponent - lowest)).append(unit.suffix);
}

std::vector<std::string> format_multiples(std::span<const double> values, int step_exponent) {
  double largest = 0.0;
  for (const double value : values) largest = std::max(largest, std::abs(value));
  const bool exponents = largest < kSmallestPlain || largest >= kLargestPlain;
  const Unit unit = unit_for(largest, step_exponent);
  std::vector<std::string> labels;
  for (const double value : values) {
    labels.push_back(exponents ? scientific(value, step_exponent)
                               : with_unit(value, step_exponent, unit));
  }
  return labels;
}

}  // namespace cmbo::chart
