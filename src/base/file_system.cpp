// SPDX-License-Identifier: Apache-2.0
#include "base/file_system.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace cmbo {

namespace {

Error system_error(const Path& path, std::string_view action, int code) {
  return Error(fmt::format("{}: cannot {}: {}", path.string(), action, std::strerror(code)));
}

// Owns a file descriptor.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&&) = delete;

  int number() const { return number_; }
  // Closes now, because only close() tells that a network disk refused the data.
  int close_now() { return ::close(std::exchange(number_, -1)); }

 private:
  int number_;
};

class FileSource : public ByteSource {
 public:
  FileSource(Path path, Descriptor descriptor, uint64_t size)
      : path_(std::move(path)), descriptor_(std::move(descriptor)), size_(size) {}

  Result<size_t> read(std::span<char> buffer) override {
    for (;;) {
      const ssize_t got = ::read(descriptor_.number(), buffer.data(), buffer.size());
      if (got >= 0) {
        position_ += static_cast<uint64_t>(got);
        return static_cast<size_t>(got);
      }
      if (errno != EINTR) return system_error(path_, "read", errno);
    }
  }
  uint64_t position() const override { return position_; }
  uint64_t size() const override { return size_; }

 private:
  Path path_;
  Descriptor descriptor_;
  uint64_t size_;
  uint64_t position_ = 0;
};

class StringSource : public ByteSource {
 public:
  explicit StringSource(std::string_view text) : text_(text) {}

  Result<size_t> read(std::span<char> buffer) override {
    const size_t count = std::min(buffer.size(), text_.size() - position_);
    std::copy_n(text_.data() + position_, count, buffer.data());
    position_ += count;
    return count;
  }
  uint64_t position() const override { return position_; }
  uint64_t size() const override { return text_.size(); }

 private:
  std::string_view text_;
  size_t position_ = 0;
};

Status write_all(int descriptor, const Path& path, std::string_view contents) {
  while (!contents.empty()) {
    const ssize_t written = ::write(descriptor, contents.data(), contents.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return system_error(path, "write", errno);
    contents.remove_prefix(static_cast<size_t>(written));
  }
  return {};
}

// Opens `opened` with these flags; errors name `path`, the file that is meant.
Status write_and_sync(const Path& opened, int flags, const Path& path, std::string_view contents) {
  Descriptor file(::open(opened.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | flags, 0644));
  if (file.number() < 0) return system_error(path, "create", errno);
  CMBO_RETURN_IF_ERROR(write_all(file.number(), path, contents));
  if (::fsync(file.number()) != 0) return system_error(path, "write to disk", errno);
  if (file.close_now() != 0) return system_error(path, "close", errno);
  return {};
}

Path directory_of(const Path& path) {
  return path.has_parent_path() ? path.parent_path() : Path(".");
}

// Makes a rename or a new file in `directory` survive a power cut.
Status sync_directory(const Path& directory) {
  const Descriptor handle(::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (handle.number() < 0) return system_error(directory, "open", errno);
  if (::fsync(handle.number()) != 0 && errno != EINVAL) {
    return system_error(directory, "write to disk", errno);
  }
  return {};
}

class RealFileSystem : public FileSystem {
 public:
  Result<std::unique_ptr<ByteSource>> open(const Path& path) override {
    Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (file.number() < 0) return system_error(path, "open", errno);
    struct stat status = {};
    if (::fstat(file.number(), &status) != 0) return system_error(path, "inspect", errno);
    if (S_ISDIR(status.st_mode)) {
      return Error(fmt::format("{}: is a directory; name a file in it", path.string()));
    }
    const auto size = static_cast<uint64_t>(status.st_size);
    return std::unique_ptr<ByteSource>(std::make_unique<FileSource>(path, std::move(file), size));
  }

  bool exists(const Path& path) override {
    std::error_code ignored;
    return std::filesystem::exists(path, ignored);
  }

  bool is_directory(const Path& path) override {
    std::error_code ignored;
    return std::filesystem::is_directory(path, ignored);
  }

  Result<std::vector<Path>> list_files(const Path& directory) override {
    std::error_code code;
    std::vector<Path> found;
    std::filesystem::directory_iterator entry(directory, code);
    for (; !code && entry != std::filesystem::directory_iterator(); entry.increment(code)) {
      std::error_code ignored;
      if (entry->is_regular_file(ignored)) found.push_back(entry->path());
    }
    if (code) return system_error(directory, "list", code.value());
    std::sort(found.begin(), found.end());
    return found;
  }

  Status create_directories(const Path& directory) override {
    std::error_code code;
    std::filesystem::create_directories(directory, code);
    if (code) return system_error(directory, "create the directory", code.value());
    return {};
  }

  Status write_atomically(const Path& path, std::string_view contents) override {
    static std::atomic<uint64_t> counter{0};
    Path temporary = path;
    temporary += fmt::format(".{}-{}.tmp", ::getpid(), counter++);
    Status status = write_and_sync(temporary, O_EXCL, path, contents);
    if (status.ok() && ::rename(temporary.c_str(), path.c_str()) != 0) {
      status = system_error(path, "replace", errno);
    }
    if (!status.ok()) {
      ::unlink(temporary.c_str());
      return status;
    }
    return sync_directory(directory_of(path));
  }

  Status append(const Path& path, std::string_view contents) override {
    const bool is_new = !exists(path);
    CMBO_RETURN_IF_ERROR(write_and_sync(path, O_APPEND, path, contents));
    if (!is_new) return {};
    return sync_directory(directory_of(path));
  }

  Status remove(const Path& path) override {
    if (::unlink(path.c_str()) != 0) return system_error(path, "remove", errno);
    return {};
  }
};

}  // namespace

FileSystem& real_file_system() {
  static RealFileSystem files;
  return files;
}

std::unique_ptr<ByteSource> source_from_string(std::string_view text) {
  return std::make_unique<StringSource>(text);
}

Result<std::string> read_all(ByteSource& source, uint64_t limit) {
  std::string text;
  std::vector<char> buffer(1 << 16);
  for (;;) {
    CMBO_TRY(const size_t got, source.read(buffer));
    if (got == 0) return text;
    if (text.size() + got > limit) {
      return Error(fmt::format("more than {} bytes; such a file is never this large", limit));
    }
    text.append(buffer.data(), got);
  }
}

Result<std::string> read_file(FileSystem& files, const Path& path, uint64_t limit) {
  CMBO_TRY(auto source, files.open(path));
  auto text = read_all(*source, limit);
  if (!text.ok()) return text.error().within(path.string());
  return text;
}

}  // namespace cmbo
