// SPDX-License-Identifier: Apache-2.0
//
// What a trial has on disk:
//
//   trials/<id>/params.json     its hyperparameters
//               checkpoint/     the training's own, for the whole life of the trial
//               stdout.log      of all slices, with a line between them
//               stderr.log
//               report.jsonl    reports that were not printed
#pragma once

#include <cstdint>
#include <string>

#include "base/file_system.h"
#include "runner/slice.h"

namespace cmbo::runner {

// The files of a trial, by absolute paths, because a training may have another working directory.
struct TrialFiles {
  explicit TrialFiles(const Path& directory);

  Path directory, params, checkpoint, stdout_log, stderr_log, report;
};

// Makes everything ready for a slice: directories, params.json, a line in both logs that says which
// slice begins, and a report file that ends with a whole line (one that was being written when the
// training was killed would spoil the next).
Status prepare_trial(FileSystem& files, const SliceRequest& request, double wall_seconds);

// The sum of the sizes of all files below `directory`, links not followed; 0 if it is not there.
Result<uint64_t> directory_bytes(const Path& directory);

// Removes the checkpoint as a whole: it is renamed first, so that after an interruption at any
// moment no training finds a part of one. Also removes what an interrupted call left. Nothing to
// remove is no error.
Status remove_checkpoint(const Path& trial_directory);

// The last lines of a log from byte `begin` on, at most `max_bytes`, as printable text.
std::string log_tail(const Path& log, uint64_t begin, size_t max_bytes = 2000);

}  // namespace cmbo::runner
