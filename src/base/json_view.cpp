// SPDX-License-Identifier: Apache-2.0
#include "base/json_view.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "base/suggestion.h"

namespace cmbo {

namespace {

bool is_one_of(const std::vector<std::string_view>& keys, std::string_view key) {
  return std::find(keys.begin(), keys.end(), key) != keys.end();
}

std::string all_keys(std::vector<std::string_view> required,
                     const std::vector<std::string_view>& optional) {
  required.insert(required.end(), optional.begin(), optional.end());
  return fmt::format("{}", fmt::join(required, ", "));
}

}  // namespace

std::string JsonView::place() const {
  if (parent_ == nullptr) return "";
  const std::string outer = parent_->place();
  if (key_.empty()) return fmt::format("{}[{}]", outer, index_);
  return outer.empty() ? std::string(key_) : fmt::format("{}.{}", outer, key_);
}

Error JsonView::error(std::string_view message) const {
  const std::string where = place();
  return Error(where.empty() ? std::string(message) : fmt::format("{}: {}", where, message));
}

Status JsonView::check_keys(const std::vector<std::string_view>& required,
                            const std::vector<std::string_view>& optional) const {
  if (!json_.is_object()) {
    return error(fmt::format("must be an object with the keys {}, not {}",
                             all_keys(required, optional), json_kind(json_)));
  }
  for (const auto& item : json_.items()) {
    if (is_one_of(required, item.key()) || is_one_of(optional, item.key())) continue;
    std::vector<std::string_view> known = required;
    known.insert(known.end(), optional.begin(), optional.end());
    return error(fmt::format("there is no key '{}'{}; known are {}", item.key(),
                             suggestion(known, item.key()), fmt::join(known, ", ")));
  }
  for (const std::string_view key : required) {
    if (!has(key)) return error(fmt::format("the key '{}' is missing; add it", key));
  }
  return {};
}

Result<size_t> JsonView::length() const {
  if (!json_.is_array()) return error(fmt::format("must be a list, not {}", json_kind(json_)));
  return json_.size();
}

Result<double> JsonView::number(double low, double high) const {
  if (!json_.is_number()) return error(fmt::format("must be a number, not {}", json_kind(json_)));
  const auto value = json_.get<double>();
  if (!std::isfinite(value)) return error("must be finite");
  if (value < low || value > high) {
    return error(fmt::format("is {}; give a number from {} to {}", value, low, high));
  }
  return value;
}

Result<double> JsonView::positive() const {
  CMBO_TRY(const double value, number());
  if (value <= 0.0) return error(fmt::format("is {}; give a number above 0", value));
  return value;
}

Result<bool> JsonView::flag() const {
  if (!json_.is_boolean()) {
    return error(fmt::format("must be true or false, not {}", json_kind(json_)));
  }
  return json_.get<bool>();
}

Result<uint32_t> JsonView::whole(uint32_t low, uint32_t high) const {
  CMBO_TRY(const double value, number(low, high));
  if (value != std::floor(value)) {
    return error(fmt::format("is {}; give a whole number", value));
  }
  return static_cast<uint32_t>(value);
}

Result<std::string> JsonView::text() const {
  if (!json_.is_string()) return error(fmt::format("must be text, not {}", json_kind(json_)));
  return json_.get<std::string>();
}

}  // namespace cmbo
