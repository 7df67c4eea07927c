// SPDX-License-Identifier: Apache-2.0
#include "cli/study_runner.h"

#include <utility>

namespace cmbo::cli {

namespace {

Result<runner::Command> command_of(const study::StudyFile& file) {
  std::vector<std::string> names;
  for (const space::Parameter& parameter : file.space.parameters()) names.push_back(parameter.name);
  return runner::Command::from_json(file.shell ? Json(file.command.front()) : Json(file.command),
                                    std::move(names));
}

}  // namespace

runner::ReportRules report_rules(const study::StudyFile& file) {
  return {file.metric.name, file.fidelity.name};
}

Result<std::unique_ptr<runner::Runner>> make_runner(const study::StudyFile& file,
                                                    const StudyPaths& paths, Context& context) {
  auto command = command_of(file);
  if (!command.ok()) return command.error().within(paths.file.string());
  runner::RunnerOptions options;
  options.mode =
      file.mode == study::Mode::kResident ? runner::Mode::kResident : runner::Mode::kSlice;
  options.workers = file.limits.workers;
  options.working_directory = paths.working_directory();
  return std::make_unique<runner::Runner>(std::move(command).value(), report_rules(file), options,
                                          context.files, context.clock);
}

}  // namespace cmbo::cli
