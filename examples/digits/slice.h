// SPDX-License-Identifier: Apache-2.0
//
// The part of a training that one process does, as cmbo asks for it by environment variables:
//
//   CMBO_PARAMS          a JSON file {name: value}; flags on the command line win
//   CMBO_CHECKPOINT_DIR  where the training is kept while it is frozen
//   CMBO_START_STEP      go on from here; 0 = from the start
//   CMBO_TARGET_STEP     stop after this epoch
//   CMBO_MAX_STEP        the horizon, for the schedule
//   CMBO_SEED
//   CMBO_RESIDENT        1 = after the target wait on stdin for {"target_step": 7}
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "base/file_system.h"
#include "digits/trainer.h"

namespace cmbo::digits {

struct Slice {
  Plan plan;
  std::optional<Path> checkpoint_directory;  // none = nothing is kept
  size_t start_step = 0;
  size_t target_step = 50;
  bool asked_for = false;  // by CMBO_TARGET_STEP; else somebody trains by hand
  bool resident = false;
};

// getenv(), or something else in a test.
using Environment = std::function<const char*(const char* name)>;

// `slice` changed by the variables that are set. An error names the variable.
Status read_environment(const Environment& environment, FileSystem& files, Slice& slice);

// The step that a line on stdin asks for: {"target_step": 7}.
Result<size_t> parse_target(std::string_view line);

// @cmbo {"step":3,"val_acc":0.71,...}: numbers to the last bit, NaN if diverged.
std::string report_line(size_t step, const Metrics& metrics);

// A training between its slices. `data` and `files` outlive it.
class SliceRunner {
 public:
  using Report = std::function<void(size_t step, const Metrics& metrics)>;
  using Interrupted = std::function<bool()>;

  // Fresh, or from the checkpoint; one that is further than start_step is fine: what it did beyond
  // is reported again, not trained again. `task` names the data in the checkpoint.
  static Result<SliceRunner> create(const Split& data, const std::string& task, const Slice& slice,
                                    FileSystem& files);

  // Trains and reports until `target`; each epoch is saved before it is reported. False if
  // `interrupted` made it leave earlier.
  Result<bool> advance(size_t target, const Report& report, const Interrupted& interrupted);

 private:
  SliceRunner(const Split& data, const Slice& slice, Json run, FileSystem& files);

  Slice slice_;
  Json run_;
  FileSystem& files_;
  Trainer trainer_;
  State state_;
  size_t reported_;
};

}  // namespace cmbo::digits
