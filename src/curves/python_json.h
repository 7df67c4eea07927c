// SPDX-License-Identifier: Apache-2.0
//
// JSON as Python writes it: the bare words NaN, Infinity and -Infinity stand where JSON knows no
// number. Outside texts they become null here, while everything else passes through unchanged.
#pragma once

#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/file_system.h"

namespace cmbo::curves {

// A longer text or number is refused, because the parser holds it in memory as a whole.
inline constexpr size_t kMaxTokenBytes = 1 << 20;

// The characters of a source, one after the other, with the replacements made. Errors are kept for
// the end: the text then seems to be over, and error() says why. Holds one chunk in memory.
class PythonJsonText {
 public:
  // Reads from `source`, which must outlive it.
  explicit PythonJsonText(ByteSource& source);

  // False at the end of the text, whether it is complete or not.
  bool has_next() { return next_ != end_ || next_piece(); }
  // Needs has_next().
  char peek() const { return *next_; }
  void advance() { ++next_; }

  // From inside a list or object to before the bracket that closes it, without a look at what it
  // passes except brackets and quotes: many times faster than to parse it.
  void skip_to_close();

  // Bytes of the source that were handed out so far.
  uint64_t position() const;
  // Why the text ended early, if it did.
  const std::optional<Error>& error() const { return error_; }

  // What a parser wants to see. Copies share the position of the text.
  class Iterator {
   public:
    using iterator_category = std::input_iterator_tag;
    using value_type = char;
    using difference_type = std::ptrdiff_t;
    using pointer = const char*;
    using reference = char;

    Iterator() = default;  // the end
    explicit Iterator(PythonJsonText& text) : text_(&text) {}

    char operator*() const { return text_->peek(); }
    Iterator& operator++() {
      text_->advance();
      return *this;
    }
    Iterator operator++(int) { return ++*this; }
    bool operator==(const Iterator& other) const { return at_end() == other.at_end(); }

   private:
    bool at_end() const { return text_ == nullptr || !text_->has_next(); }

    PythonJsonText* text_ = nullptr;
  };

 private:
  bool next_piece();
  bool fill();
  bool fail(Error error);
  size_t scan(std::string_view raw);
  size_t scan_text(std::string_view raw, size_t i);
  bool serve(size_t count, std::string_view replacement);

  ByteSource& source_;
  std::unique_ptr<char[]> buffer_;
  size_t begin_ = 0;            // the part of buffer_ that was read
  size_t filled_ = 0;           // and not handed out: [begin_, filled_)
  bool at_end_ = false;         // the source has no more
  bool in_text_ = false;        // begin_ is inside quotes
  bool escaped_ = false;        // after a backslash
  size_t token_bytes_ = 0;      // of the text or number that goes on at begin_
  uint64_t base_ = 0;           // position of buffer_[0] in the source
  const char* next_ = nullptr;  // the piece being handed out
  const char* end_ = nullptr;
  bool is_replacement_ = false;
  std::optional<Error> error_;
};

}  // namespace cmbo::curves
