// SPDX-License-Identifier: Apache-2.0
//
// Where a study lives. All that belongs to digits.yaml is in the directory digits.cmbo beside it:
//
//   digits.cmbo/study.db            every fact (src/storage)
//               trials/<number>/    checkpoints and logs (runner/trial_directory.h)
//               summary/trials.csv  for spreadsheets, written when `tune` ends
//               summary/epochs.csv
//               stop.json           why it stopped; not there while it has not
//
// Commands run in, and a model's path counts from, the directory of the study file.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "cli/command.h"
#include "storage/sqlite_storage.h"
#include "study/facts.h"
#include "study/study_file.h"

namespace cmbo::cli {

inline constexpr const char* kStudyFile = "study.yaml";
inline constexpr uint64_t kMaxStudyFileBytes = 1 << 20;
// For the positional argument of every command that takes a study.
inline constexpr const char* kStudyHelp = "The study's file, or its directory";

struct StudyPaths {
  Path file;       // study.yaml
  Path directory;  // study.cmbo

  Path database() const { return directory / "study.db"; }
  Path trials() const { return directory / "trials"; }
  Path trial(uint32_t number) const { return trials() / std::to_string(number); }
  Path trials_csv() const { return directory / "summary" / "trials.csv"; }
  Path epochs_csv() const { return directory / "summary" / "epochs.csv"; }
  Path receipt() const { return directory / "stop.json"; }
  // Where commands run.
  Path working_directory() const;
};

// From what a user named: a study file, the directory that holds study.yaml, or a study's own
// directory. Nothing of it has to exist.
StudyPaths study_paths(const std::string& argument, FileSystem& files);

// The study file as it stands now.
struct Definition {
  study::StudyFile file;
  std::string text;
};
Result<Definition> read_definition(const StudyPaths& paths, FileSystem& files);

// A study as it was last opened, for reading it and for leaving wishes, at any time. The study file
// itself may be gone or be changed since.
struct Visit {
  StudyPaths paths;
  study::StudyFile file;
  std::unique_ptr<storage::SqliteStorage> storage;
  study::Facts facts;
};
// An error if it was never begun.
Result<Visit> visit_study(const std::string& argument, Context& context);

// Who runs a study now.
struct Driver {
  std::optional<int> process = {};  // absent: the system does not say
};
std::optional<Driver> driver_of(const StudyPaths& paths);
std::string driver_text(const Driver& driver);  // "process 1234"

}  // namespace cmbo::cli
