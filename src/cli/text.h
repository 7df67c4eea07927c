// SPDX-License-Identifier: Apache-2.0
//
// Numbers, durations and tables as a person reads them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cmbo::cli {

// Columns that `text` takes on the screen: its characters, not its bytes.
size_t display_width(std::string_view text);
// `text` in at most `width` columns; what does not fit gives way to an ellipsis in the middle,
// because the ends of long names tell them apart.
std::string shorten(std::string_view text, size_t width);

std::string count_text(uint64_t count);                   // 12,345
std::string plural(size_t count, std::string_view word);  // 1 task, 2 tasks
std::string number_text(std::optional<double> v);         // 0.1235, 4.72e+34, – if absent
std::string percent_text(double share);                   // 8.4 %
std::string duration_text(double seconds);                // 7 s, 3:05, 2:00:00
std::string bytes_text(uint64_t bytes);                   // 1.2 GB

bool contains(const std::vector<std::string>& names, std::string_view name);

// Rows of cells under a header; the first column is left-aligned and gives way when the screen is
// narrow, the others are right-aligned.
class TextTable {
 public:
  explicit TextTable(std::vector<std::string> header);

  // As many cells as the header has. What would upset a terminal is replaced.
  void add(std::vector<std::string> row);
  // At most `width` columns wide, if the other columns leave the first any room.
  std::string render(size_t width) const;

 private:
  std::vector<std::vector<std::string>> rows_;  // the header first
};

}  // namespace cmbo::cli
