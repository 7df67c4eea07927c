// SPDX-License-Identifier: Apache-2.0
#include "cli/study_view.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <map>

#include "cli/study_text.h"
#include "study/metric_scale.h"

namespace cmbo::cli {

namespace {

using study::TrialState;

constexpr std::array<TrialState, 7> kStates = {
    TrialState::kRunning, TrialState::kFrozen,  TrialState::kDone, TrialState::kDiverged,
    TrialState::kFailed,  TrialState::kDropped, TrialState::kNew};

size_t count_state(const study::Facts& facts, TrialState state) {
  return static_cast<size_t>(
      std::count_if(facts.trials().begin(), facts.trials().end(),
                    [&](const study::Trial& trial) { return trial.state == state; }));
}

// Of a slice that has not ended, as far as it has reported.
double trained_seconds(const study::Facts& facts, uint32_t trial) {
  std::map<uint64_t, double> reported;  // of each slice
  for (const size_t place : facts.curve(trial)) {
    const study::Observation& observation = facts.observations()[place];
    reported[observation.slice] += observation.seconds;
  }
  double seconds = 0.0;
  for (const study::Slice& slice : facts.slices()) {
    if (slice.trial == trial) seconds += std::max(slice.seconds, reported[slice.id]);
  }
  return seconds;
}

bool is_untouched(const StudyView& view, uint32_t number) {
  const study::Trial& trial = view.facts.trials()[number];
  return trial.state == TrialState::kNew && !comes_first(trial.origin);
}

}  // namespace

TrialView trial_view(const StudyView& view, uint32_t trial) {
  TrialView result{.number = trial, .steps = view.facts.steps(trial)};
  for (const size_t place : view.facts.curve(trial)) {
    const study::Observation& observation = view.facts.observations()[place];
    result.last = observation.value;
    if (!std::isfinite(observation.value)) continue;
    if (result.best && !view.file.metric.better(observation.value, *result.best)) continue;
    result.best = observation.value;
    result.best_step = observation.step;
  }
  result.seconds = trained_seconds(view.facts, trial);
  result.cost = view.file.utility.cost_of(result.steps, result.seconds);
  return result;
}

std::vector<TrialView> ranked_trials(const StudyView& view, bool all) {
  std::vector<TrialView> trials;
  for (uint32_t n = 0; n < view.facts.trials().size(); ++n) {
    if (all || !is_untouched(view, n)) trials.push_back(trial_view(view, n));
  }
  const auto rank = [&](const TrialView& trial) { return is_untouched(view, trial.number); };
  std::stable_sort(trials.begin(), trials.end(), [&](const TrialView& a, const TrialView& b) {
    if (a.best && b.best) return view.file.metric.better(*a.best, *b.best);
    if (a.best || b.best) return a.best.has_value();
    return rank(a) < rank(b);
  });
  return trials;
}

Result<double> utility_now(const StudyView& view) {
  const study::Standing standing = study::standing_of(view.file, view.facts);
  if (standing.epochs == 0) return 0.0;
  const auto& normalization = study::metric_scale(view.file.metric, view.facts).normalization;
  CMBO_TRY(const decide::Utility utility, study::utility_over(view.file.utility, normalization));
  const double best = standing.best_trial ? normalization.normalize(standing.best_value) : 0.0;
  return utility(standing.cost, best);
}

std::string census_text(const study::Facts& facts) {
  std::string text;
  for (const TrialState state : kStates) {
    const size_t count = count_state(facts, state);
    if (count == 0) continue;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, state_name(state));
  }
  return text;
}

Json census_to_json(const study::Facts& facts) {
  Json json = Json::object();
  for (const TrialState state : kStates) {
    json[std::string(state_name(state))] = count_state(facts, state);
  }
  return json;
}

Json trial_to_json(const StudyView& view, const TrialView& trial) {
  const study::Trial& record = view.facts.trials()[trial.number];
  Json json = {{"trial", trial.number},
               {"state", state_name(record.state)},
               {"origin", origin_name(record.origin)},
               {"parameters", record.parameters},
               {"steps", trial.steps},
               {"best", trial.best ? Json(*trial.best) : Json()},
               {"best_step", trial.best ? Json(trial.best_step) : Json()},
               {"last", trial.last ? value_to_json(*trial.last) : Json()},
               {"seconds", trial.seconds},
               {"cost", trial.cost}};
  json["checkpoint_bytes"] = record.checkpoint_bytes ? Json(*record.checkpoint_bytes) : Json();
  json["note"] = record.note;
  return json;
}

Json best_to_json(const StudyView& view) {
  const study::Standing standing = study::standing_of(view.file, view.facts);
  if (!standing.best_trial) return nullptr;
  const study::Trial& trial = view.facts.trials()[*standing.best_trial];
  return {{"trial", trial.number},
          {"step", standing.best_step},
          {"value", standing.best_value},
          {"state", state_name(trial.state)},
          {"parameters", trial.parameters}};
}

}  // namespace cmbo::cli
