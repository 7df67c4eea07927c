// SPDX-License-Identifier: Apache-2.0
#include "cli/text.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "base/check.h"
#include "base/utf8.h"

namespace cmbo::cli {

namespace {

constexpr size_t kGap = 2;
constexpr size_t kMinFirstColumn = 12;

bool starts_character(char byte) {
  return (static_cast<unsigned char>(byte) & 0xc0) != 0x80;
}

// Where the character of index `index` begins; the end of the text if there are not so many.
size_t character_offset(std::string_view text, size_t index) {
  for (size_t i = 0; i < text.size(); ++i) {
    if (starts_character(text[i]) && index-- == 0) return i;
  }
  return text.size();
}

std::string padded(std::string_view text, size_t width, bool right) {
  const std::string spaces(width - std::min(width, display_width(text)), ' ');
  return right ? spaces + std::string(text) : std::string(text) + spaces;
}

}  // namespace

size_t display_width(std::string_view text) {
  return static_cast<size_t>(std::count_if(text.begin(), text.end(), starts_character));
}

std::string shorten(std::string_view text, size_t width) {
  const size_t length = display_width(text);
  if (length <= width) return std::string(text);
  if (width <= 1) return std::string(width, '.');
  const size_t tail = (width - 1) / 2;
  const size_t head = width - 1 - tail;
  return fmt::format("{}…{}", text.substr(0, character_offset(text, head)),
                     text.substr(character_offset(text, length - tail)));
}

std::string count_text(uint64_t count) {
  std::string digits = std::to_string(count);
  for (size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, 1, ',');
  return digits;
}

std::string plural(size_t count, std::string_view word) {
  return fmt::format("{} {}{}", count_text(count), word, count == 1 ? "" : "s");
}

std::string number_text(std::optional<double> v) {
  return v ? fmt::format("{:.4g}", *v) : "–";
}

std::string percent_text(double share) {
  return fmt::format("{:.1f} %", 100.0 * share);
}

std::string duration_text(double seconds) {
  const auto total = static_cast<int64_t>(std::llround(std::clamp(seconds, 0.0, 1e9)));
  if (total < 60) return fmt::format("{} s", total);
  if (total < 3600) return fmt::format("{}:{:02}", total / 60, total % 60);
  return fmt::format("{}:{:02}:{:02}", total / 3600, total / 60 % 60, total % 60);
}

std::string bytes_text(uint64_t bytes) {
  auto size = static_cast<double>(bytes);
  const char* units[] = {"B", "kB", "MB", "GB", "TB"};
  size_t unit = 0;
  for (; size >= 1000 && unit < 4; ++unit) size /= 1000;
  return unit == 0 ? fmt::format("{} B", bytes) : fmt::format("{:.1f} {}", size, units[unit]);
}

bool contains(const std::vector<std::string>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

TextTable::TextTable(std::vector<std::string> header) {
  rows_.push_back(std::move(header));
}

void TextTable::add(std::vector<std::string> row) {
  CHECK(row.size() == rows_[0].size(), "as many cells as the header has");
  for (std::string& cell : row) cell = clean_text(cell);
  rows_.push_back(std::move(row));
}

std::string TextTable::render(size_t width) const {
  std::vector<size_t> widths(rows_[0].size(), 0);
  for (const auto& row : rows_) {
    for (size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], display_width(row[c]));
  }
  size_t others = 0;
  for (size_t c = 1; c < widths.size(); ++c) others += widths[c] + kGap;
  const size_t room = width > others ? width - others : 0;
  widths[0] = std::min(widths[0], std::max(room, kMinFirstColumn));

  std::string text;
  for (const auto& row : rows_) {
    std::string line = padded(shorten(row[0], widths[0]), widths[0], false);
    for (size_t c = 1; c < row.size(); ++c) {
      line += std::string(kGap, ' ') + padded(row[c], widths[c], true);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

}  // namespace cmbo::cli
