// SPDX-License-Identifier: Apache-2.0
//
// cmbo export
#include <fmt/format.h>

#include "cli/command.h"
#include "cli/optuna_journal.h"
#include "cli/study_directory.h"
#include "cli/study_export.h"
#include "cli/study_summary.h"
#include "curves/jsonl_format.h"

namespace cmbo::cli {

namespace {

struct ExportOptions {
  std::string study;
  std::string format = "csv";
  std::string out;     // file; empty = stdout
  bool steps = false;  // csv: a row for each step
  bool json = false;   // what was written, as JSON
};

Result<std::string> exported_text(const ExportOptions& options, const Visit& visit) {
  const StudyView view{visit.file, visit.facts};
  const std::string name = visit.paths.file.stem().string();
  if (options.format == "csv") {
    return options.steps ? epochs_csv(visit.facts) : trials_csv(visit.file, visit.facts);
  }
  if (options.format == "optuna") return study_to_optuna_journal(view, name);
  if (options.format == "curves") {
    CMBO_TRY(const curves::Task task, study_to_task(view, name));
    return curves::task_to_jsonl(task);
  }
  CMBO_TRY(const auto decisions, visit.storage->decisions());
  return study_to_json(view, name, decisions).dump(2) + "\n";
}

Outcome run_export(const ExportOptions& options, Context& context) {
  CMBO_TRY(const Visit visit, visit_study(options.study, context));
  CMBO_TRY(const std::string text, exported_text(options, visit));
  if (options.out.empty()) {
    context.terminal.print(text);
    return kOk;
  }
  CMBO_RETURN_IF_ERROR(context.files.write_atomically(options.out, text));
  const Json report = {{"out", options.out}, {"format", options.format}, {"bytes", text.size()}};
  context.terminal.print(options.json ? report.dump(2) + "\n" : options.out + "\n");
  return kOk;
}

}  // namespace

void add_export_command(CLI::App& app, Action& chosen) {
  add_command<ExportOptions>(
      app, chosen, "export", "a study for other programs", run_export,
      [](CLI::App& command, ExportOptions& options) {
        command.add_option("study", options.study, kStudyHelp)->required();
        command
            .add_option("--format", options.format,
                        "csv: a row for each trial; json: all facts; curves: what cmbo train "
                        "--data reads; optuna: a journal that optuna-dashboard opens")
            ->check(CLI::IsMember({"csv", "json", "curves", "optuna"}))
            ->capture_default_str();
        command.add_option("--out", options.out, "file; without it, to stdout");
        command.add_flag("--steps", options.steps, "csv: a row for each step instead");
        command.add_flag("--json", options.json, "with --out: say what was written as JSON");
      });
}

}  // namespace cmbo::cli
