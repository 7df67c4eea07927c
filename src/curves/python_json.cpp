// SPDX-License-Identifier: Apache-2.0
#include "curves/python_json.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <fmt/format.h>

namespace cmbo::curves {

namespace {

constexpr size_t kJsonChunkBytes = 1 << 16;
constexpr std::string_view kNull = "null";
constexpr std::array<std::string_view, 3> kWords = {"NaN", "Infinity", "-Infinity"};
constexpr size_t kLongestWord = 9;

// What the scan stops at outside of texts: a quote, a separator, the beginning of a word.
enum class Kind : char { kOther, kQuote, kSeparator, kWord };
constexpr std::array<Kind, 256> make_kinds() {
  std::array<Kind, 256> kinds = {};
  for (const char c : {' ', '\t', '\r', '\n', ',', ':', '[', ']', '{', '}'}) {
    kinds[static_cast<unsigned char>(c)] = Kind::kSeparator;
  }
  for (const char c : {'N', 'I', '-'}) kinds[static_cast<unsigned char>(c)] = Kind::kWord;
  kinds['"'] = Kind::kQuote;
  return kinds;
}
constexpr std::array<Kind, 256> kKinds = make_kinds();

// The word that `raw` begins with, or nothing.
std::string_view word_at(std::string_view raw) {
  for (const std::string_view word : kWords) {
    if (raw.starts_with(word)) return word;
  }
  return {};
}

// Whether `raw` may become one of the words when more is read.
bool may_become_word(std::string_view raw) {
  return std::any_of(kWords.begin(), kWords.end(),
                     [&](std::string_view word) { return word.starts_with(raw); });
}

}  // namespace

PythonJsonText::PythonJsonText(ByteSource& source)
    : source_(source), buffer_(std::make_unique_for_overwrite<char[]>(kJsonChunkBytes)) {}

uint64_t PythonJsonText::position() const {
  const auto left = static_cast<uint64_t>(end_ - next_);
  return base_ + begin_ - (is_replacement_ ? 0 : left);
}

bool PythonJsonText::fail(Error error) {
  error_ = std::move(error);
  at_end_ = true;
  begin_ = filled_ = 0;
  return false;
}

// Moves what is left to the front and reads behind it.
bool PythonJsonText::fill() {
  std::memmove(buffer_.get(), buffer_.get() + begin_, filled_ - begin_);
  base_ += begin_;
  filled_ -= begin_;
  begin_ = 0;
  const auto got = source_.read(std::span(buffer_.get() + filled_, kJsonChunkBytes - filled_));
  if (!got.ok()) return fail(got.error());
  filled_ += *got;
  at_end_ = *got == 0;
  return true;
}

bool PythonJsonText::serve(size_t count, std::string_view replacement) {
  is_replacement_ = !replacement.empty();
  next_ = is_replacement_ ? replacement.data() : buffer_.get() + begin_;
  end_ = next_ + (is_replacement_ ? replacement.size() : count);
  begin_ += count;
  return true;
}

// From `i` inside a text to behind its closing quote, or to the end of `raw`.
size_t PythonJsonText::scan_text(std::string_view raw, size_t i) {
  for (; i < raw.size(); ++i) {
    const char c = raw[i];
    ++token_bytes_;
    if (escaped_) {
      escaped_ = false;
    } else if (c == '\\') {
      escaped_ = true;
    } else if (c == '"') {
      in_text_ = false;
      token_bytes_ = 0;
      return i + 1;
    }
  }
  return i;
}

// How much of `raw` can be handed out as it is: up to the next word, or what may become one.
size_t PythonJsonText::scan(std::string_view raw) {
  size_t i = 0;
  while (i < raw.size()) {
    if (in_text_) {
      i = scan_text(raw, i);
      continue;
    }
    switch (kKinds[static_cast<unsigned char>(raw[i])]) {
      case Kind::kQuote:
        in_text_ = true;
        break;
      case Kind::kSeparator:
        token_bytes_ = 0;
        break;
      case Kind::kWord:
        if (!word_at(raw.substr(i)).empty()) return i;
        if (raw.size() - i < kLongestWord && !at_end_ && may_become_word(raw.substr(i))) return i;
        [[fallthrough]];
      case Kind::kOther:
        ++token_bytes_;
    }
    ++i;
  }
  return i;
}

void PythonJsonText::skip_to_close() {
  size_t depth = 0;
  bool quoted = false;
  bool escaped = false;
  for (; has_next(); advance()) {
    const char c = peek();
    if (quoted) {
      quoted = escaped || c != '"';
      escaped = !escaped && c == '\\';
    } else if (c == '"') {
      quoted = true;
    } else if (c == '[' || c == '{') {
      ++depth;
    } else if (c == ']' || c == '}') {
      if (depth == 0) return;
      --depth;
    }
  }
}

bool PythonJsonText::next_piece() {
  for (;;) {
    const std::string_view raw(buffer_.get() + begin_, filled_ - begin_);
    if (const std::string_view word = in_text_ ? "" : word_at(raw); !word.empty()) {
      return serve(word.size(), kNull);
    }
    const size_t count = scan(raw);
    if (token_bytes_ > kMaxTokenBytes) {
      return fail(
          Error(fmt::format("a text or number of more than {} MiB; the file is damaged, "
                            "or not of this format",
                            kMaxTokenBytes >> 20)));
    }
    if (count > 0) return serve(count, {});
    if (at_end_ || !fill()) return false;
  }
}

}  // namespace cmbo::curves
