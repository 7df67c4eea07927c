// SPDX-License-Identifier: Apache-2.0
//
// Stands in for libFuzzer in ordinary builds: runs the target on every file of the directories and
// files that are given, so that what fuzzing once found stays fixed.
#include <cstdint>
#include <cstdio>
#include <filesystem>

#include "base/file_system.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace {

constexpr uint64_t kMaxBytes = 64u << 20;

// How many files were run; -1 after an error, which is printed.
int replay(cmbo::FileSystem& files, const cmbo::Path& path) {
  std::vector<cmbo::Path> inputs = {path};
  if (files.is_directory(path)) {
    const auto listed = files.list_files(path);
    if (listed.ok()) inputs = *listed;
  }
  for (const cmbo::Path& input : inputs) {
    const auto text = cmbo::read_file(files, input, kMaxBytes);
    if (!text.ok()) {
      std::fprintf(stderr, "%s\n", text.error().message().c_str());
      return -1;
    }
    std::printf("%s\n", input.c_str());
    std::fflush(stdout);  // names the culprit should the target crash
    LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(text->data()), text->size());
  }
  return static_cast<int>(inputs.size());
}

}  // namespace

int main(int argc, char** argv) {
  int total = 0;
  for (int i = 1; i < argc; ++i) {
    const int count = replay(cmbo::real_file_system(), argv[i]);
    if (count < 0) return 1;
    total += count;
  }
  if (total == 0) {
    std::fprintf(stderr, "no input; name a corpus directory with at least one file\n");
    return 1;
  }
  return 0;
}
