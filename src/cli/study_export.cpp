// SPDX-License-Identifier: Apache-2.0
#include "cli/study_export.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "cli/study_text.h"
#include "cli/trials_report.h"

namespace cmbo::cli {

namespace {

std::vector<TrialView> trained_trials(const StudyView& view) {
  std::vector<TrialView> trials = ranked_trials(view, false);
  std::sort(trials.begin(), trials.end(),
            [](const TrialView& a, const TrialView& b) { return a.number < b.number; });
  return trials;
}

// The range of the study file, unless a value lies outside: then it was wrong.
curves::Range recorded_range(const StudyView& view) {
  const curves::Range& range = view.file.metric.range;
  for (const study::Observation& observation : view.facts.observations()) {
    const double value = observation.value;
    if (value < range.low.value_or(value) || value > range.high.value_or(value)) return {};
  }
  return range;
}

}  // namespace

Json study_to_json(const StudyView& view, const std::string& name,
                   std::span<const study::DecisionRecord> decisions) {
  const study::Standing standing = study::standing_of(view.file, view.facts);
  const study::StudyRecord& record = view.facts.study();
  Json trials = Json::array();
  for (const TrialView& trial : trained_trials(view)) {
    Json details = trial_details_to_json(view, trial.number, std::nullopt);
    details.erase("forecast");
    trials.push_back(std::move(details));
  }
  return {{"study", name},
          {"state", state_name(record.state)},
          {"reason", record.reason},
          {"created_at", record.created_at},
          {"metric", view.file.metric.name},
          {"goal", curves::goal_name(view.file.metric.goal)},
          {"fidelity", {{"name", view.file.fidelity.name}, {"max", view.file.fidelity.max}}},
          {"parameters", view.file.space.to_json()},
          {"best", best_to_json(view)},
          {"cost", standing.cost},
          {"cost_unit", cost_unit_name(view.file.utility.unit)},
          {"trials", std::move(trials)},
          {"decisions", decisions_to_json(decisions)}};
}

Result<curves::Task> study_to_task(const StudyView& view, const std::string& name) {
  if (view.facts.observations().empty()) {
    return Error("nothing has been trained yet, so there are no curves; see cmbo status");
  }
  CMBO_TRY(curves::Task task,
           curves::Task::create({.name = name,
                                 .metric = view.file.metric.name,
                                 .goal = view.file.metric.goal,
                                 .fidelity = view.file.fidelity.name,
                                 .first_epoch = 1,
                                 .last_epoch = static_cast<int>(view.file.fidelity.max),
                                 .range = recorded_range(view),
                                 .space = view.file.space}));
  for (const study::Trial& trial : view.facts.trials()) {
    std::vector<float> curve;
    for (const size_t place : view.facts.curve(trial.number)) {
      curve.push_back(curves::recorded_value(view.facts.observations()[place].value));
    }
    if (curve.empty()) continue;
    CMBO_TRY(space::Configuration configuration,
             view.file.space.configuration_from_json(trial.parameters));
    CMBO_RETURN_IF_ERROR(task.add(std::move(configuration), curve));
  }
  return task;
}

}  // namespace cmbo::cli
