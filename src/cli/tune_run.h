// SPDX-License-Identifier: Apache-2.0
//
// What `tune` and `finish` share: a study opened for driving, watched until it stops or somebody
// presses Ctrl-C.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "cli/command.h"
#include "cli/study_drive.h"

namespace cmbo::cli {

// A study that this process may drive.
struct OpenedStudy {
  StudyPaths paths;
  Definition definition;
  study::PolicyFactory policy;
  std::unique_ptr<storage::SqliteStorage> storage;
};

// Absent if somebody else drives it, which is complained about: the same command may succeed later.
Result<std::optional<OpenedStudy>> open_for_driving(const std::string& argument, Context& context);

enum class Watching {
  kQuiet,  // warnings only
  kLive,   // a screen on a terminal, lines elsewhere
};

// The reason to stop, or nothing after Ctrl-C; everything is frozen then, and the summary written.
Result<std::optional<std::string>> watch(StudyDrive& drive, const StudyPaths& paths,
                                         Watching watching, Context& context);

}  // namespace cmbo::cli
