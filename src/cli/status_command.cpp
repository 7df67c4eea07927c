// SPDX-License-Identifier: Apache-2.0
//
// cmbo status
#include "cli/command.h"
#include "cli/status_report.h"
#include "cli/study_directory.h"

namespace cmbo::cli {

namespace {

struct StatusOptions {
  std::string study;
  bool json = false;
};

Outcome run_status(const StatusOptions& options, Context& context) {
  CMBO_TRY(const Visit visit, visit_study(options.study, context));
  StatusInput input{.name = visit.paths.file.filename().string(),
                    .now = context.clock.wall_seconds()};
  if (const auto driver = driver_of(visit.paths)) input.driver = driver_text(*driver);
  CMBO_TRY(input.wish, visit.storage->wish());
  CMBO_TRY(const auto queue, visit.storage->queue());
  input.queued = queue.size();
  CMBO_TRY(const auto decisions, visit.storage->decisions());
  if (!decisions.empty()) input.decision = decisions.back();
  const StudyView view{visit.file, visit.facts};
  if (options.json) {
    CMBO_TRY(const Json json, status_to_json(view, input));
    context.terminal.print(json.dump(2) + "\n");
    return kOk;
  }
  CMBO_TRY(const std::string text, status_to_text(view, input, context.terminal.out_width()));
  context.terminal.print(text);
  return kOk;
}

}  // namespace

void add_status_command(CLI::App& app, Action& chosen) {
  add_command<StatusOptions>(app, chosen, "status", "where a study stands", run_status,
                             [](CLI::App& command, StatusOptions& options) {
                               command.add_option("study", options.study, kStudyHelp)->required();
                               command.add_flag("--json", options.json, "print as JSON");
                             });
}

}  // namespace cmbo::cli
