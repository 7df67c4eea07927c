// SPDX-License-Identifier: Apache-2.0
//
// Files behind an interface, so that tests can make disks full and reads fail.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace cmbo {

using Path = std::filesystem::path;

// Bytes read in order: a file, a decompressed file, or a string in a test.
class ByteSource {
 public:
  virtual ~ByteSource() = default;

  // Fills `buffer` from the front and returns how many bytes it got; 0 = the end.
  virtual Result<size_t> read(std::span<char> buffer) = 0;
  // How far a progress bar is, in bytes of the underlying file.
  virtual uint64_t position() const = 0;
  virtual uint64_t size() const = 0;
};

// Errors name the path. Implementations are thread-safe.
class FileSystem {
 public:
  virtual ~FileSystem() = default;

  virtual Result<std::unique_ptr<ByteSource>> open(const Path& path) = 0;
  virtual bool exists(const Path& path) = 0;
  virtual bool is_directory(const Path& path) = 0;
  // The regular files directly in `directory`, sorted by name.
  virtual Result<std::vector<Path>> list_files(const Path& directory) = 0;
  virtual Status create_directories(const Path& directory) = 0;
  // Replaces `path` as a whole: afterwards, and after a crash at any moment, it holds either the
  // old or the new contents, and on success the new ones are on disk.
  virtual Status write_atomically(const Path& path, std::string_view contents) = 0;
  // Adds to the end of `path`, which is created if it is not there; on success all is on disk. A
  // crash may leave the beginning of `contents` behind.
  virtual Status append(const Path& path, std::string_view contents) = 0;
  virtual Status remove(const Path& path) = 0;
};

// The machine's own files. Lives for ever.
FileSystem& real_file_system();

// Everything that is left in `source`. An error if it is more than `limit` bytes.
Result<std::string> read_all(ByteSource& source, uint64_t limit);
// The whole file, with the path in front of an error.
Result<std::string> read_file(FileSystem& files, const Path& path, uint64_t limit);

// A source over a string, which must outlive it.
std::unique_ptr<ByteSource> source_from_string(std::string_view text);

}  // namespace cmbo
