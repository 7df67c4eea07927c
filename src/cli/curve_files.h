// SPDX-License-Identifier: Apache-2.0
//
// Curve files on the command line: how they are named, read and written by every command.
#pragma once

#include <string>
#include <vector>

#include "cli/command.h"
#include "curves/task.h"

namespace cmbo::cli {

// How curves are found and read; shared by all the commands that read some.
struct InputOptions {
  std::string path;
  std::string format = "auto";
  std::string goal;                    // csv only
  std::string metric = "value";        // csv only
  std::string space;                   // csv only: a file
  std::vector<std::string> tasks;      // empty = all
  std::string configurations = "all";  // or every second one: even, odd (the first is even)

  // Declares the options of `command`; the struct must outlive the parsing. `path_name` is
  // "curves", a positional argument, or "--data".
  void add_to(CLI::App& command, const char* path_name = "curves");
};

// The chosen tasks, with a progress bar where reading takes long.
Result<curves::CurveSet> read_input(const InputOptions& input, Context& context);

// The names of all tasks, each on a line of its own; for error texts.
std::string known_tasks(const curves::CurveSet& set);
// "lr=0.01 optimizer=sgd": the active parameters, numbers with three digits.
std::string configuration_text(const space::Space& space, const space::Configuration& values);
size_t count_curves(const curves::CurveSet& set);

// Writes every task into `directory` as JSON lines, or none: what was written before a failure is
// removed again. Files that exist are an error unless `overwrite`.
Status write_set(const curves::CurveSet& set, const Path& directory, bool overwrite,
                 Context& context);

// "dir: 3 tasks, 600 curves" for people, or the same as JSON.
void report_written(const curves::CurveSet& set, const std::string& directory, bool json,
                    Context& context);

}  // namespace cmbo::cli
