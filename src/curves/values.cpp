// SPDX-License-Identifier: Apache-2.0
#include "curves/values.h"

#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <limits>

#include "curves/task.h"

namespace cmbo::curves {

namespace {

constexpr float kDiverged = std::numeric_limits<float>::quiet_NaN();

bool is_continuation(char c) {
  return (static_cast<unsigned char>(c) & 0xC0) == 0x80;
}

}  // namespace

Result<std::vector<float>> curve_from_json(const Json& json) {
  if (!json.is_array()) {
    return Error(fmt::format("must be a list of numbers, not {}; correct it", json_kind(json)));
  }
  if (json.empty()) return Error("the curve is empty; leave the configuration out");
  if (json.size() > static_cast<size_t>(kMaxEpochs) + 1) {
    return Error(fmt::format("a curve of {} values; at most {} epochs are possible", json.size(),
                             kMaxEpochs));
  }
  std::vector<float> curve;
  curve.reserve(json.size());
  for (const Json& value : json) {
    if (!value.is_number() && !value.is_null()) {
      return Error(
          fmt::format("value {} must be a number, not {}; write null for a value that "
                      "is not finite",
                      curve.size(), json_kind(value)));
    }
    curve.push_back(value.is_null() ? kDiverged : recorded_value(value.get<double>()));
  }
  return curve;
}

std::optional<double> number_from_text(std::string_view text) {
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  double number = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (code != std::errc() || end != text.data() + text.size()) return std::nullopt;
  if (!std::isfinite(number)) return std::nullopt;
  return number;
}

std::string excerpt(std::string_view text, size_t limit) {
  if (text.size() <= limit) return std::string(text);
  while (limit > 0 && is_continuation(text[limit])) --limit;
  return std::string(text.substr(0, limit)) + "...";
}

}  // namespace cmbo::curves
