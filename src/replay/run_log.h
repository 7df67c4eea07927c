// SPDX-License-Identifier: Apache-2.0
//
// Finished runs as JSON lines, one run a line, added as they come: what an interrupted replay need
// not do again.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "base/file_system.h"
#include "base/json.h"
#include "replay/run.h"

namespace cmbo::replay {

// Everything that decides a run.
struct RunKey {
  std::string benchmark, task, method;
  double alpha = 0.0;
  uint64_t seed = 0;
  Json conditions = Json::object();  // budget, stopping, hashes of data and model, ...

  // The same for the same run, and for no other.
  std::string text() const;
};

struct RunRecord {
  RunKey key;
  RunOutcome outcome;
};

// One line, without its end; and back. A line that is damaged is an error that says where.
std::string record_to_line(const RunRecord& record);
Result<RunRecord> record_from_line(std::string_view line);

// All runs of a log. What follows the last newline was being written when the machine went down; it
// does not count.
Result<std::vector<RunRecord>> read_runs(FileSystem& files, const Path& path);

// Not thread-safe.
class RunLog {
 public:
  // Reads what is there, and cuts off a last line that was not finished. `files` must outlive it.
  static Result<RunLog> open(FileSystem& files, const Path& path);

  // nullptr if there was no such run; valid until the next add().
  const RunRecord* find(const RunKey& key) const;
  // On success the run is on disk.
  Status add(RunRecord record);

  size_t size() const { return records_.size(); }

 private:
  RunLog(FileSystem& files, Path path) : files_(&files), path_(std::move(path)) {}
  void keep(RunRecord record);

  FileSystem* files_;
  Path path_;
  std::vector<RunRecord> records_;
  std::unordered_map<std::string, size_t> index_;  // by RunKey::text()
};

}  // namespace cmbo::replay
