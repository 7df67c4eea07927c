// SPDX-License-Identifier: Apache-2.0
//
// For tests: a file system whose n-th operation fails, as if the disk were full or gone.
#pragma once

#include "base/file_system.h"

namespace cmbo {

// Passes everything on to `inner` (which must outlive it) and counts the operations that touch the
// disk; the one whose number is `fail_at`, and all after it, fail. Not thread-safe.
class FaultyFileSystem : public FileSystem {
 public:
  FaultyFileSystem(FileSystem& inner, size_t fail_at) : inner_(inner), fail_at_(fail_at) {}

  Result<std::unique_ptr<ByteSource>> open(const Path& path) override;
  bool exists(const Path& path) override { return inner_.exists(path); }
  bool is_directory(const Path& path) override { return inner_.is_directory(path); }
  Result<std::vector<Path>> list_files(const Path& directory) override;
  Status create_directories(const Path& directory) override;
  Status write_atomically(const Path& path, std::string_view contents) override;
  Status append(const Path& path, std::string_view contents) override;
  // Cleaning up works on a full disk too.
  Status remove(const Path& path) override { return inner_.remove(path); }

  size_t operations() const { return operations_; }

 private:
  Status count(const Path& path);

  FileSystem& inner_;
  size_t fail_at_;
  size_t operations_ = 0;
};

}  // namespace cmbo
