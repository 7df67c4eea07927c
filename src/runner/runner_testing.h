// SPDX-License-Identifier: Apache-2.0
//
// For tests of this folder: processes and scripts.
#pragma once

#include <chrono>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include "base/check.h"
#include "base/temporary_directory.h"
#include "runner/process.h"

namespace cmbo::runner {

inline constexpr uint64_t kTestFileBytes = 1u << 26;

inline std::string text_of_file(const Path& path) {
  return read_file(real_file_system(), path, kTestFileBytes).value();
}

inline void write_text(const Path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

// Waits for something that will come; a minute is for ever.
template <typename Condition>
bool eventually(Condition condition) {
  for (int i = 0; i < 12'000; ++i) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return false;
}

// Not over, and no zombie that nobody has waited for.
inline bool is_running(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  const std::string text(std::istreambuf_iterator<char>(file), {});
  return !text.empty() && text.find(") Z") == std::string::npos;
}

inline Exit exit_of(Process& process) {
  CHECK(eventually([&] { return process.exited().has_value(); }), "a process that does not end");
  return *process.exited();
}

// What a command prints.
inline std::string output_of(const std::vector<std::string>& words) {
  const TemporaryDirectory directory;
  ProcessOptions options;
  options.words = words;
  options.stdout_log = directory / "out";
  options.stderr_log = directory / "err";
  Process process = Process::start(options).value();
  exit_of(process);
  return text_of_file(options.stdout_log);
}

}  // namespace cmbo::runner
