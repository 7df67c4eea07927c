// SPDX-License-Identifier: Apache-2.0
//
// Reads a file that others append to, as it grows.
#pragma once

#include <cstdint>
#include <string>

#include "base/file_system.h"

namespace cmbo::runner {

class Tail {
 public:
  // Begins at the present end of the file, which need not exist yet.
  explicit Tail(Path path);

  // What was added since, at most a megabyte of it; empty = nothing, or nothing that can be read. A
  // file that has become shorter was written anew and is read from its beginning.
  std::string read();

  uint64_t position() const { return position_; }

 private:
  Path path_;
  uint64_t position_ = 0;
};

}  // namespace cmbo::runner
