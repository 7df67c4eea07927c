// SPDX-License-Identifier: Apache-2.0
#include "replay/run_log.h"

#include <fmt/format.h>

namespace cmbo::replay {

namespace {

constexpr uint64_t kMaxLogBytes = uint64_t{16} << 30;

struct LogText {
  std::string lines;        // whole ones
  bool unfinished = false;  // something followed them
};

Result<LogText> read_log(FileSystem& files, const Path& path) {
  CMBO_TRY(std::string text, read_file(files, path, kMaxLogBytes));
  const size_t end = text.rfind('\n');
  const size_t whole = end == std::string::npos ? 0 : end + 1;
  const bool unfinished = whole < text.size();
  text.resize(whole);
  return LogText{std::move(text), unfinished};
}

Result<std::vector<RunRecord>> parse_lines(std::string_view text, const Path& path) {
  std::vector<RunRecord> records;
  for (size_t number = 1; !text.empty(); ++number) {
    const size_t end = text.find('\n');
    auto record = record_from_line(text.substr(0, end));
    if (!record.ok()) {
      return Error(fmt::format("{}:{}: {}; remove this line and replay again", path.string(),
                               number, record.error().message()));
    }
    records.push_back(std::move(record).value());
    text.remove_prefix(end + 1);
  }
  return records;
}

}  // namespace

Result<std::vector<RunRecord>> read_runs(FileSystem& files, const Path& path) {
  CMBO_TRY(const LogText log, read_log(files, path));
  return parse_lines(log.lines, path);
}

Result<RunLog> RunLog::open(FileSystem& files, const Path& path) {
  RunLog log(files, path);
  if (!files.exists(path)) return log;
  CMBO_TRY(const LogText text, read_log(files, path));
  CMBO_TRY(std::vector<RunRecord> records, parse_lines(text.lines, path));
  for (RunRecord& record : records) log.keep(std::move(record));
  if (text.unfinished) CMBO_RETURN_IF_ERROR(files.write_atomically(path, text.lines));
  return log;
}

void RunLog::keep(RunRecord record) {
  index_[record.key.text()] = records_.size();
  records_.push_back(std::move(record));
}

const RunRecord* RunLog::find(const RunKey& key) const {
  const auto found = index_.find(key.text());
  return found == index_.end() ? nullptr : &records_[found->second];
}

Status RunLog::add(RunRecord record) {
  CMBO_RETURN_IF_ERROR(files_->append(path_, record_to_line(record) + "\n"));
  keep(std::move(record));
  return {};
}

}  // namespace cmbo::replay
