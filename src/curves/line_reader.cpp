// SPDX-License-Identifier: Apache-2.0
#include "curves/line_reader.h"

#include <fmt/format.h>

namespace cmbo::curves {

namespace {
constexpr size_t kLineChunkBytes = 1 << 18;
constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
}  // namespace

LineReader::LineReader(ByteSource& source, std::string name)
    : source_(source), name_(std::move(name)) {}

Error LineReader::error(std::string_view problem) const {
  return Error(fmt::format("{}:{}: {}", name_, line_number_, problem));
}

Status LineReader::fill() {
  buffer_.erase(0, begin_);
  begin_ = 0;
  const size_t kept = buffer_.size();
  buffer_.resize(kept + kLineChunkBytes);
  const auto got = source_.read(std::span(buffer_).subspan(kept));
  buffer_.resize(kept + (got.ok() ? *got : 0));
  if (!got.ok()) return error(got.error().message());
  at_end_ = *got == 0;
  return {};
}

Result<std::optional<std::string_view>> LineReader::next() {
  size_t searched = begin_;
  size_t newline;
  while ((newline = buffer_.find('\n', searched)) == std::string::npos && !at_end_) {
    searched = buffer_.size() - begin_;
    if (searched > kMaxLineBytes) {
      ++line_number_;
      return error(fmt::format("a line of more than {} MiB; is this a file of curves?",
                               kMaxLineBytes >> 20));
    }
    CMBO_RETURN_IF_ERROR(fill());
  }
  const bool is_last = newline == std::string::npos;
  if (is_last && begin_ == buffer_.size()) return std::optional<std::string_view>();
  const size_t end = is_last ? buffer_.size() : newline;
  std::string_view line(buffer_.data() + begin_, end - begin_);
  begin_ = is_last ? end : end + 1;
  if (++line_number_ == 1 && line.starts_with(kByteOrderMark)) {
    line.remove_prefix(kByteOrderMark.size());
  }
  if (line.ends_with('\r')) line.remove_suffix(1);
  return std::optional(line);
}

}  // namespace cmbo::curves
