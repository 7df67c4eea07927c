// SPDX-License-Identifier: Apache-2.0
//
// cmbo init
#include <fmt/format.h>

#include "cli/study_directory.h"
#include "cli/study_template.h"

namespace cmbo::cli {

namespace {

struct InitOptions {
  std::string study = kStudyFile;  // file to write
  std::string command = "python train.py";
};

Outcome run_init(const InitOptions& options, Context& context) {
  const StudyPaths paths = study_paths(options.study, context.files);
  const std::string name = paths.file.string();
  if (context.files.exists(paths.file)) {
    return Error(fmt::format("{}: is there already and stays as it is; name another file", name));
  }
  const std::string text = study_template(options.command);
  const auto file = study::study_file_from_yaml(text);
  if (!file.ok()) return file.error().within("--command");
  CMBO_RETURN_IF_ERROR(context.files.write_atomically(paths.file, text));
  context.terminal.print(fmt::format(
      "Wrote {}. Edit it, then 'cmbo check {}' and 'cmbo tune {}'.\n", name, name, name));
  return kOk;
}

}  // namespace

void add_init_command(CLI::App& app, Action& chosen) {
  add_command<InitOptions>(
      app, chosen, "init", "write a study file to start from", run_init,
      [](CLI::App& command, InitOptions& options) {
        command.add_option("study", options.study, "File to write")->capture_default_str();
        command.add_option("--command", options.command, "how a training is started")
            ->capture_default_str();
      });
}

}  // namespace cmbo::cli
