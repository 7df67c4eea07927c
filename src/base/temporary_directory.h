// SPDX-License-Identifier: Apache-2.0
//
// For tests and benchmarks: a fresh directory that is gone, with all that is in it, when it goes
// out of scope.
#pragma once

#include <stdlib.h>
#include <string>

#include "base/check.h"
#include "base/file_system.h"

namespace cmbo {

class TemporaryDirectory {
 public:
  TemporaryDirectory() {
    std::string pattern = (std::filesystem::temp_directory_path() / "cmbo-XXXXXX").string();
    CHECK(::mkdtemp(pattern.data()) != nullptr, "no temporary directory: " + pattern);
    path_ = pattern;
  }
  ~TemporaryDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

  const Path& path() const { return path_; }
  Path operator/(const std::string& name) const { return path_ / name; }

 private:
  Path path_;
};

}  // namespace cmbo
