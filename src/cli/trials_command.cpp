// SPDX-License-Identifier: Apache-2.0
//
// cmbo trials, cmbo show, cmbo best, cmbo why
#include <fmt/format.h>

#include "cli/command.h"
#include "cli/study_directory.h"
#include "cli/study_policy.h"
#include "cli/study_text.h"
#include "cli/text.h"
#include "cli/trials_report.h"
#include "runner/trial_directory.h"

namespace cmbo::cli {

namespace {

struct TrialsOptions {
  std::string study;
  std::string state;  // empty = all states
  size_t top = 0;     // 0 = all
  bool all = false;   // also what was never trained
  bool json = false;
};

struct ShowOptions {
  std::string study;
  uint32_t trial = 0;
  bool no_forecast = false;
  bool json = false;
};

struct BestOptions {
  std::string study;
  bool checkpoint = false;
  bool json = false;
};

struct WhyOptions {
  std::string study;
  std::optional<uint32_t> trial = {};
  bool json = false;
};

Status check_trial(const study::Facts& facts, uint32_t trial) {
  if (trial < facts.trials().size()) return {};
  return Error(fmt::format("there is no trial {}; they are numbered from 0 to {}, see cmbo trials",
                           trial, facts.trials().size() - 1));
}

Outcome run_trials(const TrialsOptions& options, Context& context) {
  CMBO_TRY(const Visit visit, visit_study(options.study, context));
  const StudyView view{visit.file, visit.facts};
  std::vector<TrialView> trials = ranked_trials(view, options.all || options.state == "new");
  if (!options.state.empty()) {
    const auto state = study::trial_state_from_name(options.state);
    std::erase_if(trials, [&](const TrialView& trial) {
      return visit.facts.trials()[trial.number].state != state;
    });
  }
  if (options.top > 0 && trials.size() > options.top) trials.resize(options.top);
  if (!options.json) {
    context.terminal.print(trials_to_text(view, trials, context.terminal.out_width()));
    return kOk;
  }
  Json json = Json::array();
  for (const TrialView& trial : trials) json.push_back(trial_to_json(view, trial));
  context.terminal.print(json.dump(2) + "\n");
  return kOk;
}

Result<std::optional<TrialForecast>> future_of(const Visit& visit, uint32_t trial,
                                               Context& context) {
  const StudyView view{visit.file, visit.facts};
  if (!has_future(view, trial)) return std::optional<TrialForecast>();
  CMBO_TRY(const auto model, model_of_study(visit.file, visit.paths, context));
  ThreadPool pool(0);
  CMBO_TRY(const std::vector<TrialForecast> forecasts,
           forecast_trials(view, std::span(&trial, 1), *model, pool));
  return std::optional(forecasts.front());
}

Outcome run_show(const ShowOptions& options, Context& context) {
  CMBO_TRY(const Visit visit, visit_study(options.study, context));
  CMBO_RETURN_IF_ERROR(check_trial(visit.facts, options.trial));
  std::optional<TrialForecast> future;
  if (!options.no_forecast) {
    CMBO_TRY(future, future_of(visit, options.trial, context));
  }
  const StudyView view{visit.file, visit.facts};
  const Path directory = visit.paths.trial(options.trial);
  if (options.json) {
    Json json = trial_details_to_json(view, options.trial, future);
    json["directory"] = directory.string();
    context.terminal.print(json.dump(2) + "\n");
    return kOk;
  }
  std::string text = trial_to_text(view, options.trial, future, context.terminal.out_width());
  if (context.files.is_directory(directory)) {
    text += "\n" + fact_line("files", directory.string());
  }
  context.terminal.print(text);
  return kOk;
}

// The directory of the best trial's checkpoint. What is in it is of the trial's *last* step.
Result<Path> checkpoint_of(const Visit& visit, uint32_t trial, Context& context) {
  const Path path = runner::TrialFiles(visit.paths.trial(trial)).checkpoint;
  if (context.files.is_directory(path)) return path;
  return Error(fmt::format("{}: is not there; train it again with cmbo finish", path.string()));
}

Outcome run_best(const BestOptions& options, Context& context) {
  CMBO_TRY(const Visit visit, visit_study(options.study, context));
  const StudyView view{visit.file, visit.facts};
  const study::Standing standing = study::standing_of(visit.file, visit.facts);
  if (!standing.best_trial) {
    context.terminal.complain("nothing has been reached yet; see cmbo status");
    return kNothingToDo;
  }
  const study::Trial& trial = visit.facts.trials()[*standing.best_trial];
  const auto checkpoint = checkpoint_of(visit, trial.number, context);
  if (options.checkpoint && !checkpoint.ok()) return checkpoint.error();
  if (options.json) {
    Json json = best_to_json(view);
    json["checkpoint"] = checkpoint.ok() ? Json(checkpoint->string()) : Json();
    json["checkpoint_step"] = visit.facts.steps(trial.number);
    context.terminal.print(json.dump(2) + "\n");
    return kOk;
  }
  if (options.checkpoint) {
    context.terminal.print(checkpoint->string() + "\n");
    return kOk;
  }
  std::string text = fmt::format("{} {} at {} {} of trial {}\n\n", visit.file.metric.name,
                                 number_text(standing.best_value), visit.file.fidelity.name,
                                 standing.best_step, trial.number);
  for (const auto& [name, value] : trial.parameters.items()) {
    text += fmt::format("{}: {}\n", name, value.dump());
  }
  context.terminal.print(text);
  return kOk;
}

Outcome run_why(const WhyOptions& options, Context& context) {
  CMBO_TRY(const Visit visit, visit_study(options.study, context));
  CMBO_TRY(std::vector<study::DecisionRecord> decisions, visit.storage->decisions());
  if (options.trial) {
    CMBO_RETURN_IF_ERROR(check_trial(visit.facts, *options.trial));
    std::erase_if(decisions, [&](const study::DecisionRecord& decision) {
      return decision.trial != options.trial;
    });
  } else if (!decisions.empty()) {
    decisions.erase(decisions.begin(), decisions.end() - 1);
  }
  if (decisions.empty()) {
    context.terminal.complain(options.trial
                                  ? fmt::format("trial {} was never chosen", *options.trial)
                                  : "nothing has been decided yet");
    return kNothingToDo;
  }
  context.terminal.print(options.json ? decisions_to_json(decisions).dump(2) + "\n"
                                      : decisions_to_text({visit.file, visit.facts}, decisions,
                                                          context.terminal.out_width()));
  return kOk;
}

}  // namespace

void add_trials_commands(CLI::App& app, Action& chosen) {
  add_command<TrialsOptions>(
      app, chosen, "trials", "what a study has trained, the best first", run_trials,
      [](CLI::App& command, TrialsOptions& options) {
        command.add_option("study", options.study, kStudyHelp)->required();
        command.add_option("--state", options.state, "only those in this state")
            ->check(CLI::IsMember(
                {"new", "running", "frozen", "done", "diverged", "failed", "dropped"}));
        command.add_option("--top", options.top, "at most so many");
        command.add_flag("--all", options.all, "also configurations that were never trained");
        command.add_flag("--json", options.json, "print as JSON");
      });
  add_command<ShowOptions>(
      app, chosen, "show", "everything about one trial, and what is expected of it", run_show,
      [](CLI::App& command, ShowOptions& options) {
        command.add_option("study", options.study, kStudyHelp)->required();
        command.add_option("trial", options.trial, "its number")->required();
        command.add_flag("--no-forecast", options.no_forecast, "do not load the model");
        command.add_flag("--json", options.json, "print as JSON");
      });
  add_command<BestOptions>(app, chosen, "best", "the best configuration so far", run_best,
                           [](CLI::App& command, BestOptions& options) {
                             command.add_option("study", options.study, kStudyHelp)->required();
                             command.add_flag("--checkpoint", options.checkpoint,
                                              "print the directory of its checkpoint, for scripts");
                             command.add_flag("--json", options.json, "print as JSON");
                           });
  add_command<WhyOptions>(
      app, chosen, "why", "why the study did what it did last, or trained a trial", run_why,
      [](CLI::App& command, WhyOptions& options) {
        command.add_option("study", options.study, kStudyHelp)->required();
        command.add_option("trial", options.trial, "all decisions for this trial");
        command.add_flag("--json", options.json, "print as JSON");
      });
}

}  // namespace cmbo::cli
