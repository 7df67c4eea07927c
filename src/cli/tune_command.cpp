// SPDX-License-Identifier: Apache-2.0
//
// cmbo tune
#include <algorithm>
#include <fmt/format.h>

#include "base/utf8.h"
#include "cli/receipt_text.h"
#include "cli/text.h"
#include "cli/tune_run.h"

namespace cmbo::cli {

namespace {

struct TuneOptions {
  std::string study = kStudyFile;
  bool json = false;
};

// A study that stopped does not go on unless something is different now: its file, a configuration
// in the queue, or that it was only asked to stop. One that was killed before it wrote its receipt
// stops once more.
Result<std::optional<std::string>> why_not_to_go_on(OpenedStudy& opened, FileSystem& files) {
  CMBO_TRY(const auto record, opened.storage->study());
  if (!record || record->state != study::StudyState::kStopped) return std::optional<std::string>();
  CMBO_TRY(const study::Wish wish, opened.storage->wish());
  CMBO_TRY(const auto queue, opened.storage->queue());
  const bool changed =
      record->definition != opened.definition.text || !files.exists(opened.paths.receipt());
  if (changed || !queue.empty() || wish == study::Wish::kStop) return std::optional<std::string>();
  return std::optional(record->reason);
}

// Whether a study stopped because every training failed: its script was broken, and nothing in it
// is worth keeping.
Result<bool> was_in_vain(OpenedStudy& opened) {
  CMBO_TRY(const auto record, opened.storage->study());
  if (!record || record->state != study::StudyState::kStopped) return false;
  CMBO_TRY(const auto observations, opened.storage->observations());
  CMBO_TRY(const auto queue, opened.storage->queue());
  CMBO_TRY(const auto trials, opened.storage->trials());
  const auto failed = std::count_if(trials.begin(), trials.end(), [](const study::Trial& trial) {
    return trial.state == study::TrialState::kFailed;
  });
  return observations.empty() && queue.empty() && failed >= study::kMostFirstFailures;
}

Status begin_anew(OpenedStudy& opened) {
  opened.storage.reset();
  std::error_code code;
  std::filesystem::remove_all(opened.paths.directory, code);
  if (code) {
    return Error(
        fmt::format("{}: cannot be removed: {}", opened.paths.directory.string(), code.message()));
  }
  std::filesystem::create_directories(opened.paths.directory, code);
  CMBO_TRY(opened.storage, storage::SqliteStorage::open(opened.paths.database()));
  return {};
}

Outcome say_nothing_to_do(const TuneOptions& options, const StudyPaths& paths,
                          const std::string& reason, Context& context) {
  if (options.json) {
    context.terminal.print(Json({{"state", "stopped"}, {"reason", reason}}).dump(2) + "\n");
    return kNothingToDo;
  }
  context.terminal.print(
      fmt::format("{} has stopped before: {}\n"
                  "The receipt is {}. It goes on when its utility or limits change, or after "
                  "'cmbo enqueue'.\n",
                  paths.file.string(), clean_text(reason), paths.receipt().string()));
  return kNothingToDo;
}

Outcome say_interrupted(const TuneOptions& options, const StudyPaths& paths, Context& context) {
  context.terminal.print(
      options.json ? Json({{"state", "interrupted"}}).dump(2) + "\n"
                   : fmt::format("Interrupted. Everything is kept; 'cmbo tune {}' goes on.\n",
                                 paths.file.string()));
  return kTryAgain;
}

Outcome say_stopped(const TuneOptions& options, const StudyDrive& drive, const StudyPaths& paths,
                    Context& context) {
  const study::Study& study = drive.study();
  CMBO_TRY(const study::Receipt receipt, study.receipt());
  const Json json = study::receipt_to_json(receipt, study.file(), study.facts());
  CMBO_RETURN_IF_ERROR(context.files.write_atomically(paths.receipt(), json.dump(2) + "\n"));
  context.terminal.print(options.json ? json.dump(2) + "\n"
                                      : "\n" + receipt_text(receipt, study.file(), study.facts(),
                                                            paths, context.terminal.out_width()));
  return receipt.standing.epochs > 0 ? kOk : kFailed;
}

Outcome run_tune(const TuneOptions& options, Context& context) {
  CMBO_TRY(std::optional<OpenedStudy> opened, open_for_driving(options.study, context));
  if (!opened) return kTryAgain;
  const StudyPaths& paths = opened->paths;
  CMBO_TRY(const bool in_vain, was_in_vain(*opened));
  if (in_vain) CMBO_RETURN_IF_ERROR(begin_anew(*opened));
  CMBO_TRY(const std::optional<std::string> stopped, why_not_to_go_on(*opened, context.files));
  if (stopped) return say_nothing_to_do(options, paths, *stopped, context);
  CMBO_TRY(const auto drive, StudyDrive::open(paths, opened->definition, *opened->storage,
                                              {.policy = opened->policy}, context));
  if (context.files.exists(paths.receipt())) {
    CMBO_RETURN_IF_ERROR(context.files.remove(paths.receipt()));
  }
  CMBO_TRY(const std::optional<std::string> reason,
           watch(*drive, paths, options.json ? Watching::kQuiet : Watching::kLive, context));
  return reason ? say_stopped(options, *drive, paths, context)
                : say_interrupted(options, paths, context);
}

}  // namespace

void add_tune_command(CLI::App& app, Action& chosen) {
  add_command<TuneOptions>(
      app, chosen, "tune", "run a study until it stops by itself; goes on where it was", run_tune,
      [](CLI::App& command, TuneOptions& options) {
        command.add_option("study", options.study, kStudyHelp)->capture_default_str();
        command.add_flag("--json", options.json, "print the receipt as JSON and nothing else");
      });
}

}  // namespace cmbo::cli
