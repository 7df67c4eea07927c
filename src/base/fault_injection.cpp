// SPDX-License-Identifier: Apache-2.0
#include "base/fault_injection.h"

namespace cmbo {

Status FaultyFileSystem::count(const Path& path) {
  if (operations_++ >= fail_at_) return Error(path.string() + ": injected fault");
  return {};
}

Result<std::unique_ptr<ByteSource>> FaultyFileSystem::open(const Path& path) {
  CMBO_RETURN_IF_ERROR(count(path));
  return inner_.open(path);
}

Result<std::vector<Path>> FaultyFileSystem::list_files(const Path& directory) {
  CMBO_RETURN_IF_ERROR(count(directory));
  return inner_.list_files(directory);
}

Status FaultyFileSystem::create_directories(const Path& directory) {
  CMBO_RETURN_IF_ERROR(count(directory));
  return inner_.create_directories(directory);
}

Status FaultyFileSystem::write_atomically(const Path& path, std::string_view contents) {
  CMBO_RETURN_IF_ERROR(count(path));
  return inner_.write_atomically(path, contents);
}

Status FaultyFileSystem::append(const Path& path, std::string_view contents) {
  CMBO_RETURN_IF_ERROR(count(path));
  return inner_.append(path, contents);
}

}  // namespace cmbo
