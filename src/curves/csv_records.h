// SPDX-License-Identifier: Apache-2.0
//
// The records of a CSV file after RFC 4180: cells between commas, in quotes where they hold commas,
// quotes (doubled) or line breaks.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "curves/line_reader.h"

namespace cmbo::curves {

// More is a lost quote or no table of curves.
inline constexpr size_t kMaxRecordBytes = 1 << 20;
inline constexpr size_t kMaxColumns = 256;

class CsvRecords {
 public:
  // Reads from `source`, which must outlive it; `name` is the file in error texts.
  CsvRecords(ByteSource& source, const std::string& name) : name_(name), lines_(source, name) {}

  // The cells of the next record; nullopt at the end. Empty lines are passed over. A line break in
  // quotes becomes \n. Refused: quotes that do not match, what is not UTF-8, absurd sizes.
  Result<std::optional<std::vector<std::string>>> next();

  // Where the record began, counted from 1.
  size_t line_number() const { return first_line_; }
  // `problem` with file and the line of the record in front.
  Error error(std::string_view problem) const;

 private:
  enum class State { kStart, kPlain, kQuoted, kAfterQuote };  // of the cell being read

  Status parse_line(std::string_view line);
  Status parse_character(char c);
  Status end_cell();

  std::string name_;
  LineReader lines_;
  size_t first_line_ = 0;
  size_t record_bytes_ = 0;
  State state_ = State::kStart;
  std::string cell_;
  std::vector<std::string> cells_;
};

}  // namespace cmbo::curves
