// SPDX-License-Identifier: Apache-2.0
//
// Learning curves from files, in our own format or as the authors of a benchmark publish them.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/file_system.h"
#include "base/result.h"
#include "curves/task.h"

namespace cmbo::curves {

enum class Format {
  kAuto,       // by name and first character of the file
  kJsonLines,  // ours: jsonl_format.h
  kLcbench,    // data_2k.json, data_2k_lw.json
  kTaskset,    // a JSON list of {hp, train, valid, test} per task
  kPd1,        // pd1_*_results.jsonl[.gz]
  kCsv,        // task, configuration columns..., epoch, value
};

std::string_view format_name(Format format);
std::optional<Format> format_from_name(std::string_view name);

struct ReadOptions {
  Format format = Format::kAuto;
  std::optional<Goal> goal;  // csv says nothing of it, so there it must be given; others: ignored
  std::string metric = "value";       // csv: what the values are called
  std::optional<space::Space> space;  // csv: else types and ranges are inferred from the values
  // Called now and then during long reads with the bytes read so far and in all.
  std::function<void(uint64_t done, uint64_t total)> progress;
};

// The tasks in the file at `path`, or in all curve files directly in the directory `path` (one
// format for all; other files are left alone). Errors name file and line or key, and what to do.
Result<CurveSet> read_curves(FileSystem& files, const Path& path, const ReadOptions& options = {});

}  // namespace cmbo::curves
