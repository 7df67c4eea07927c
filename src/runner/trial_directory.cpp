// SPDX-License-Identifier: Apache-2.0
#include "runner/trial_directory.h"

#include <ctime>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fstream>

#include "base/utf8.h"

namespace cmbo::runner {

namespace fs = std::filesystem;

namespace {

constexpr uint64_t kMaxParamsBytes = 1 << 20;
constexpr std::string_view kRemoved = "checkpoint.removed";

Error directory_error(const Path& path, std::string_view action, const std::error_code& code) {
  return Error(fmt::format("{}: cannot {}: {}", path.string(), action, code.message()));
}

// The bytes of `path` from `begin` on, the last `limit` of them.
std::string last_bytes(const Path& path, uint64_t begin, size_t limit) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file) return "";
  const auto size = static_cast<uint64_t>(file.tellg());
  if (size <= begin) return "";
  const uint64_t from = std::max(begin, size > limit ? size - limit : 0);
  std::string text(size - from, '\0');
  file.seekg(static_cast<std::streamoff>(from));
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<size_t>(file.gcount()));
  return text;
}

bool ends_inside_line(const Path& path) {
  const std::string last = last_bytes(path, 0, 1);
  return !last.empty() && last != "\n";
}

// Not synced: a log that lost its last lines in a power cut does no harm.
Status begin_in_log(const Path& log, const std::string& line) {
  const std::string begin = ends_inside_line(log) ? "\n" : "";
  std::ofstream file(log, std::ios::binary | std::ios::app);
  file << begin << line << std::flush;
  if (!file) return Error(log.string() + ": cannot write; free some space on the disk");
  return {};
}

Status write_params(FileSystem& files, const Path& path, const std::string& text) {
  if (files.exists(path)) {
    const auto present = read_file(files, path, kMaxParamsBytes);
    if (present.ok() && *present == text) return {};
  }
  return files.write_atomically(path, text);
}

}  // namespace

TrialFiles::TrialFiles(const Path& trial_directory)
    : directory(fs::absolute(trial_directory).lexically_normal()),
      params(directory / "params.json"),
      checkpoint(directory / "checkpoint"),
      stdout_log(directory / "stdout.log"),
      stderr_log(directory / "stderr.log"),
      report(directory / "report.jsonl") {}

Status prepare_trial(FileSystem& files, const SliceRequest& request, double wall_seconds) {
  const TrialFiles trial(request.directory);
  CMBO_RETURN_IF_ERROR(files.create_directories(trial.checkpoint));
  CMBO_RETURN_IF_ERROR(write_params(files, trial.params, request.params.dump(2) + "\n"));
  const std::string line =
      fmt::format("--- cmbo: trial {}, slice {}, steps {} to {}, {:%Y-%m-%dT%H:%M:%SZ}\n",
                  request.trial, request.slice, request.start_step + 1, request.target_step,
                  fmt::gmtime(static_cast<std::time_t>(wall_seconds)));
  CMBO_RETURN_IF_ERROR(begin_in_log(trial.stdout_log, line));
  CMBO_RETURN_IF_ERROR(begin_in_log(trial.stderr_log, line));
  return begin_in_log(trial.report, "");
}

Result<uint64_t> directory_bytes(const Path& directory) {
  std::error_code code;
  if (!fs::exists(directory, code)) return uint64_t{0};
  uint64_t total = 0;
  fs::recursive_directory_iterator entry(directory, code);
  for (; !code && entry != fs::recursive_directory_iterator(); entry.increment(code)) {
    std::error_code vanished;  // while a training writes, files come and go
    if (!entry->is_regular_file(vanished) || entry->is_symlink(vanished)) continue;
    const uint64_t size = entry->file_size(vanished);
    if (!vanished) total += size;
  }
  if (code && code != std::errc::no_such_file_or_directory) {
    return directory_error(directory, "list", code);
  }
  return total;
}

Status remove_checkpoint(const Path& trial_directory) {
  const TrialFiles trial(trial_directory);
  const Path removed = trial.directory / kRemoved;
  std::error_code code;
  fs::remove_all(removed, code);
  if (code) return directory_error(removed, "remove", code);
  fs::rename(trial.checkpoint, removed, code);
  if (code == std::errc::no_such_file_or_directory) return {};
  if (code) return directory_error(trial.checkpoint, "rename", code);
  fs::remove_all(removed, code);
  if (code) return directory_error(removed, "remove", code);
  return {};
}

std::string log_tail(const Path& log, uint64_t begin, size_t max_bytes) {
  std::string raw = last_bytes(log, begin, max_bytes);
  const bool is_cut = raw.size() == max_bytes;
  while (!raw.empty() && (raw.back() == '\n' || raw.back() == '\r')) raw.pop_back();
  if (is_cut) raw.erase(0, raw.find('\n') + 1);  // npos + 1 = 0: one long line
  std::string text;
  for (size_t at = 0; at < raw.size();) {
    const size_t end = std::min(raw.find('\n', at), raw.size());
    if (!text.empty()) text += '\n';
    text += clean_text(std::string_view(raw).substr(at, end - at));
    at = end + 1;
  }
  return text;
}

}  // namespace cmbo::runner
