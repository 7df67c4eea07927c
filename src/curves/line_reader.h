// SPDX-License-Identifier: Apache-2.0
//
// Text files line by line, of any size, with line numbers for error texts.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/file_system.h"

namespace cmbo::curves {

// A longer line is refused: it is not one of our formats, or its newlines are lost.
inline constexpr size_t kMaxLineBytes = 16u << 20;

class LineReader {
 public:
  // Reads from `source`, which must outlive it; `name` is the file in error texts.
  LineReader(ByteSource& source, std::string name);

  // The next line without its end (\n or \r\n), valid until the next call; nullopt at the end of
  // the file. A last line without a newline counts; a leading UTF-8 byte order mark does not.
  Result<std::optional<std::string_view>> next();

  // Of the line that next() returned last, counted from 1.
  size_t line_number() const { return line_number_; }
  // `problem` with file and line in front.
  Error error(std::string_view problem) const;

 private:
  Status fill();

  ByteSource& source_;
  std::string name_;
  std::string buffer_;
  size_t begin_ = 0;  // of the unread part of buffer_
  bool at_end_ = false;
  size_t line_number_ = 0;
};

}  // namespace cmbo::curves
