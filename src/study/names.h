// SPDX-License-Identifier: Apache-2.0
//
// Enumerations and their written names, one table each.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

namespace cmbo::study {

template <typename Value, size_t kCount>
struct Names {
  std::array<std::pair<Value, std::string_view>, kCount> entries;

  // Every value is in its table.
  constexpr std::string_view name(Value value) const {
    return std::find_if(entries.begin(), entries.end(),
                        [&](const auto& entry) { return entry.first == value; })
        ->second;
  }
  constexpr std::optional<Value> value(std::string_view name) const {
    for (const auto& [value, known] : entries) {
      if (known == name) return value;
    }
    return std::nullopt;
  }
};

}  // namespace cmbo::study
