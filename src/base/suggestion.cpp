// SPDX-License-Identifier: Apache-2.0
#include "base/suggestion.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>
#include <utility>

namespace cmbo {

namespace {

// How many letters must be changed, added or left out to get from one word to the other.
size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 0; i < a.size(); ++i) {
    size_t diagonal = std::exchange(row[0], i + 1);
    for (size_t j = 0; j < b.size(); ++j) {
      const size_t change = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({change, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

}  // namespace

std::string suggestion(const std::vector<std::string_view>& words, std::string_view wrong) {
  const auto nearest =
      std::min_element(words.begin(), words.end(), [&](std::string_view a, std::string_view b) {
        return edit_distance(a, wrong) < edit_distance(b, wrong);
      });
  if (nearest == words.end() || edit_distance(*nearest, wrong) > 1 + wrong.size() / 3) return "";
  return fmt::format(" (did you mean '{}'?)", *nearest);
}

}  // namespace cmbo
