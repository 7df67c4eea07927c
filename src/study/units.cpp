// SPDX-License-Identifier: Apache-2.0
#include "study/units.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <utility>

#include "study/names.h"

namespace cmbo::study {

namespace {

constexpr Names<CostUnit, 3> kCostUnits = {
    {{{CostUnit::kEpochs, "epochs"}, {CostUnit::kSeconds, "s"}, {CostUnit::kMoney, "money"}}}};

struct UnitName {
  std::string_view name;
  double size;
};
constexpr std::array<UnitName, 16> kTimeUnits = {{{"s", 1},
                                                  {"sec", 1},
                                                  {"second", 1},
                                                  {"seconds", 1},
                                                  {"m", 60},
                                                  {"min", 60},
                                                  {"minute", 60},
                                                  {"minutes", 60},
                                                  {"h", 3600},
                                                  {"hr", 3600},
                                                  {"hour", 3600},
                                                  {"hours", 3600},
                                                  {"d", 86400},
                                                  {"day", 86400},
                                                  {"days", 86400},
                                                  {"week", 604800}}};
constexpr std::array<UnitName, 10> kByteUnits = {{{"B", 1},
                                                  {"kB", 1e3},
                                                  {"KB", 1e3},
                                                  {"MB", 1e6},
                                                  {"GB", 1e9},
                                                  {"TB", 1e12},
                                                  {"KiB", 0x1p10},
                                                  {"MiB", 0x1p20},
                                                  {"GiB", 0x1p30},
                                                  {"TiB", 0x1p40}}};
constexpr double kMostBytes = 0x1p60;

template <size_t kCount>
std::optional<double> size_of(const std::array<UnitName, kCount>& units, std::string_view name) {
  for (const UnitName& unit : units) {
    if (unit.name == name) return unit.size;
  }
  return std::nullopt;
}

bool is_blank(char letter) {
  return letter == ' ' || letter == '\t';
}

void skip_blanks(std::string_view& rest) {
  while (!rest.empty() && is_blank(rest.front())) rest.remove_prefix(1);
}

// The number at the front of `rest`, which is taken off; nullopt if there is none.
std::optional<double> take_number(std::string_view& rest) {
  skip_blanks(rest);
  double number = 0.0;
  const auto [end, code] = std::from_chars(rest.data(), rest.data() + rest.size(), number);
  if (code != std::errc() || !std::isfinite(number)) return std::nullopt;
  rest.remove_prefix(static_cast<size_t>(end - rest.data()));
  return number;
}

// The letters at the front of `rest` up to a blank, a digit or a slash; they are taken off.
std::string_view take_word(std::string_view& rest) {
  skip_blanks(rest);
  const size_t end = std::min(rest.find_first_of(" \t/0123456789"), rest.size());
  const std::string_view word = rest.substr(0, end);
  rest.remove_prefix(end);
  return word;
}

Error not_a(std::string_view what, std::string_view text, std::string_view example) {
  return Error(fmt::format("'{}' is not {}; write it like {}", text, what, example));
}

}  // namespace

std::string_view cost_unit_name(CostUnit unit) {
  return kCostUnits.name(unit);
}

std::optional<double> seconds_of_unit(std::string_view unit) {
  return size_of(kTimeUnits, unit);
}

Result<double> parse_duration(std::string_view text) {
  const Error problem = not_a("a duration", text, "90 min or 2 h");
  std::string_view rest = text;
  double total = 0.0;
  do {
    const auto number = take_number(rest);
    const auto unit = seconds_of_unit(take_word(rest));
    if (!number || !unit || *number < 0.0) return problem;
    total += *number * *unit;
    skip_blanks(rest);
  } while (!rest.empty());
  if (!(total > 0.0)) return problem;
  return total;
}

Result<uint64_t> parse_bytes(std::string_view text) {
  const Error problem = not_a("an amount of memory", text, "10 GB");
  std::string_view rest = text;
  const auto number = take_number(rest);
  const auto unit = size_of(kByteUnits, take_word(rest));
  skip_blanks(rest);
  if (!number || !unit || !rest.empty() || *number < 0.0 || *number * *unit > kMostBytes) {
    return problem;
  }
  return static_cast<uint64_t>(*number * *unit);
}

Result<Amount> parse_amount(std::string_view text) {
  std::string_view rest = text;
  const auto number = take_number(rest);
  Amount amount{number.value_or(0.0), std::string(take_word(rest))};
  skip_blanks(rest);
  if (!number || !rest.empty()) return not_a("an amount", text, "300 epochs or 2 h");
  return amount;
}

Result<HourlyPrice> parse_price(std::string_view text) {
  const Error problem = not_a("a price", text, "2.5 EUR per hour");
  std::string_view rest = text;
  const auto number = take_number(rest);
  std::string currency(take_word(rest));
  skip_blanks(rest);
  if (rest.starts_with('/')) {
    rest.remove_prefix(1);
  } else if (currency == "per") {
    currency.clear();
  } else if (take_word(rest) != "per") {
    return problem;
  }
  const auto unit = seconds_of_unit(take_word(rest));
  skip_blanks(rest);
  if (!number || *number <= 0.0 || !unit || !rest.empty()) return problem;
  return HourlyPrice{*number / *unit, std::move(currency)};
}

}  // namespace cmbo::study
