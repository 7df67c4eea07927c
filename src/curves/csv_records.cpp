// SPDX-License-Identifier: Apache-2.0
#include "curves/csv_records.h"

#include <fmt/format.h>

#include "base/utf8.h"
#include "curves/values.h"

namespace cmbo::curves {

Error CsvRecords::error(std::string_view problem) const {
  return Error(fmt::format("{}:{}: {}", name_, first_line_, problem));
}

Result<std::optional<std::vector<std::string>>> CsvRecords::next() {
  cells_.clear();
  cell_.clear();
  state_ = State::kStart;
  record_bytes_ = 0;
  for (;;) {
    CMBO_TRY(const auto line, lines_.next());
    if (!line && state_ == State::kQuoted) {
      return error("a quoted cell never ends; close it with \"");
    }
    if (!line) return std::optional<std::vector<std::string>>();
    if (state_ == State::kQuoted) {
      cell_ += '\n';
    } else if (line->empty()) {
      continue;
    } else {
      first_line_ = lines_.line_number();
    }
    CMBO_RETURN_IF_ERROR(parse_line(*line));
    if (state_ == State::kQuoted) continue;
    CMBO_RETURN_IF_ERROR(end_cell());
    return std::optional(std::move(cells_));
  }
}

Status CsvRecords::parse_line(std::string_view line) {
  record_bytes_ += line.size() + 1;
  if (record_bytes_ > kMaxRecordBytes) {
    return error(fmt::format("a row of more than {} MiB; a quote or a line break is missing",
                             kMaxRecordBytes >> 20));
  }
  if (!is_utf8(line)) return lines_.error("not UTF-8; save the file in that encoding");
  for (const char c : line) CMBO_RETURN_IF_ERROR(parse_character(c));
  return {};
}

Status CsvRecords::parse_character(char c) {
  if (c == ',' && state_ != State::kQuoted) return end_cell();
  if (c == '"') {
    switch (state_) {
      case State::kStart:
        state_ = State::kQuoted;
        return {};
      case State::kQuoted:
        state_ = State::kAfterQuote;
        return {};
      case State::kAfterQuote:  // a doubled quote
        state_ = State::kQuoted;
        break;
      case State::kPlain:
        return lines_.error(
            "a quote inside a cell; put the whole cell in quotes and double those within");
    }
  } else if (state_ == State::kAfterQuote) {
    return lines_.error("text behind a closing quote; put the whole cell in quotes");
  } else if (state_ == State::kStart) {
    state_ = State::kPlain;
  }
  cell_ += c;
  return {};
}

Status CsvRecords::end_cell() {
  if (cells_.size() >= kMaxColumns) {
    return lines_.error(fmt::format("more than {} columns; remove some", kMaxColumns));
  }
  cells_.push_back(std::move(cell_));
  cell_.clear();
  state_ = State::kStart;
  return {};
}

}  // namespace cmbo::curves
