// SPDX-License-Identifier: Apache-2.0
#include "runner/tail.h"

#include <algorithm>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace cmbo::runner {

namespace {

constexpr uint64_t kMaxReadBytes = 1 << 20;

uint64_t size_now(const Path& path) {
  struct stat status = {};
  return ::stat(path.c_str(), &status) == 0 ? static_cast<uint64_t>(status.st_size) : 0;
}

}  // namespace

Tail::Tail(Path path) : path_(std::move(path)), position_(size_now(path_)) {}

std::string Tail::read() {
  const uint64_t size = size_now(path_);
  if (size < position_) position_ = 0;
  if (size == position_) return "";
  // Opened each time: the file may have been replaced, and most of the time there is nothing new.
  const int file = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return "";
  std::string text(std::min(size - position_, kMaxReadBytes), '\0');
  const ssize_t got = ::pread(file, text.data(), text.size(), static_cast<off_t>(position_));
  ::close(file);
  text.resize(static_cast<size_t>(std::max<ssize_t>(got, 0)));
  position_ += text.size();
  return text;
}

}  // namespace cmbo::runner
