// SPDX-License-Identifier: Apache-2.0
//
// cmbo finish
#include <fmt/format.h>

#include "cli/text.h"
#include "cli/tune_run.h"
#include "cli/tune_view.h"
#include "runner/trial_directory.h"

namespace cmbo::cli {

namespace {

struct FinishOptions {
  std::string study = kStudyFile;
  std::optional<uint32_t> trial = {};  // absent = the best
  bool json = false;
};

Result<uint32_t> trial_to_finish(const FinishOptions& options, OpenedStudy& opened) {
  const std::string name = opened.paths.file.string();
  CMBO_TRY(const auto record, opened.storage->study());
  if (!record) {
    return Error(fmt::format("{}: this study was not begun; 'cmbo tune {}' does", name, name));
  }
  CMBO_TRY(const study::Facts facts, study::Facts::load(*opened.storage));
  const auto best = study::standing_of(opened.definition.file, facts).best_trial;
  if (!options.trial && !best) {
    return Error(
        fmt::format("{}: nothing was reported yet, so nothing is best; let 'cmbo tune' "
                    "go on",
                    name));
  }
  const uint32_t trial = options.trial.value_or(best.value_or(0));
  if (trial >= facts.trials().size()) {
    return Error(fmt::format("{}: there is no trial {}; 'cmbo trials' lists them", name, trial));
  }
  return trial;
}

Outcome say_finished(const FinishOptions& options, const StudyDrive& drive, uint32_t trial,
                     const StudyPaths& paths, Context& context) {
  const study::StudyFile& file = drive.study().file();
  const study::Facts& facts = drive.study().facts();
  const bool done = facts.trials()[trial].state == study::TrialState::kDone;
  const study::Observation* last = facts.last(trial);
  const std::string checkpoint = runner::TrialFiles(paths.trial(trial)).checkpoint.string();
  if (options.json) {
    Json json = {{"trial", trial},
                 {"state", study::state_name(facts.trials()[trial].state)},
                 {"parameters", facts.trials()[trial].parameters},
                 {"step", facts.steps(trial)},
                 {"value", last == nullptr ? Json() : Json(last->value)},
                 {"checkpoint", checkpoint}};
    context.terminal.print(json.dump(2) + "\n");
  } else {
    context.terminal.print(
        fmt::format("Trial {} is {}: {} {} at {} {} of {}.\n  {}\n  {}\n", trial,
                    study::state_name(facts.trials()[trial].state), file.metric.name,
                    number_text(last == nullptr ? std::nullopt : std::optional(last->value)),
                    file.fidelity.name, facts.steps(trial), file.fidelity.max,
                    parameters_text(facts.trials()[trial].parameters), checkpoint));
  }
  return done ? kOk : kFailed;
}

Outcome run_finish(const FinishOptions& options, Context& context) {
  CMBO_TRY(std::optional<OpenedStudy> opened, open_for_driving(options.study, context));
  if (!opened) return kTryAgain;
  CMBO_TRY(const uint32_t trial, trial_to_finish(options, *opened));
  CMBO_TRY(const auto before, opened->storage->study());
  DriveOptions drive_options{.policy = opened->policy, .question = [trial](study::Study& study) {
                               return study.finish(trial);
                             }};
  CMBO_TRY(const auto drive, StudyDrive::open(opened->paths, opened->definition, *opened->storage,
                                              std::move(drive_options), context));
  const bool was_done = drive->study().facts().trials()[trial].state == study::TrialState::kDone;
  CMBO_TRY(
      const std::optional<std::string> reason,
      watch(*drive, opened->paths, options.json ? Watching::kQuiet : Watching::kLive, context));
  // A study that had stopped has stopped, whoever was finished since.
  study::StudyRecord after = drive->study().facts().study();
  after.state = before->state;
  after.reason = before->reason;
  CMBO_RETURN_IF_ERROR(opened->storage->save(after));
  if (!reason) {
    context.terminal.print("Interrupted. Everything is kept; the same command goes on.\n");
    return kTryAgain;
  }
  CMBO_TRY(const ExitCode code, say_finished(options, *drive, trial, opened->paths, context));
  return was_done ? kNothingToDo : code;
}

}  // namespace

void add_finish_command(CLI::App& app, Action& chosen) {
  add_command<FinishOptions>(
      app, chosen, "finish", "train the best configuration up to the horizon", run_finish,
      [](CLI::App& command, FinishOptions& options) {
        command.add_option("study", options.study, kStudyHelp)->capture_default_str();
        command.add_option("--trial", options.trial, "this one instead of the best");
        command.add_flag("--json", options.json, "print what came of it as JSON");
      });
}

}  // namespace cmbo::cli
