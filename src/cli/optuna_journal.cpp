// SPDX-License-Identifier: Apache-2.0
#include "cli/optuna_journal.h"

#include <cmath>
#include <fmt/chrono.h>
#include <fmt/format.h>

#include "cli/study_text.h"

namespace cmbo::cli {

namespace {

// Optuna's numbers.
enum class OptunaOperation : int { kCreateStudy = 0, kCreateTrial = 4 };
enum class OptunaDirection : int { kMinimize = 1, kMaximize = 2 };
enum class OptunaState : int { kRunning = 0, kComplete = 1, kFail = 3, kWaiting = 4 };

std::string timestamp(double seconds) {
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}+00:00", fmt::gmtime(static_cast<std::time_t>(seconds)));
}

// Optuna keeps a distribution as JSON text.
std::string distribution_text(const space::Parameter& parameter) {
  Json attributes;
  const char* name = "CategoricalDistribution";
  switch (parameter.type) {
    case space::ParameterType::kFloat:
      name = "FloatDistribution";
      attributes = {{"step", parameter.step ? Json(*parameter.step) : Json()},
                    {"low", parameter.low},
                    {"high", parameter.high},
                    {"log", parameter.log}};
      break;
    case space::ParameterType::kInt:
      name = "IntDistribution";
      attributes = {{"log", parameter.log},
                    {"step", static_cast<int64_t>(parameter.step.value_or(1.0))},
                    {"low", static_cast<int64_t>(parameter.low)},
                    {"high", static_cast<int64_t>(parameter.high)}};
      break;
    default:
      attributes = {{"choices", parameter.choices}};
      break;
  }
  return Json{{"name", name}, {"attributes", std::move(attributes)}}.dump();
}

OptunaState optuna_state(const study::Trial& trial, const TrialView& seen) {
  if (seen.best) return OptunaState::kComplete;
  if (trial.state == study::TrialState::kRunning) return OptunaState::kRunning;
  return trial.state == study::TrialState::kNew ? OptunaState::kWaiting : OptunaState::kFail;
}

class OptunaTrialWriter {
 public:
  explicit OptunaTrialWriter(const StudyView& view) : view_(view) {}

  Json write(const TrialView& seen) const {
    const study::Trial& trial = view_.facts.trials()[seen.number];
    const OptunaState state = optuna_state(trial, seen);
    Json json = {{"op_code", OptunaOperation::kCreateTrial},
                 {"worker_id", "cmbo"},
                 {"study_id", 0},
                 {"datetime_start", nullptr},
                 {"state", state},
                 {"value", seen.best ? Json(*seen.best) : Json()},
                 {"values", nullptr}};
    add_times(seen.number, state, json);
    add_parameters(trial, state, json);
    Json attributes = {{"cmbo_trial", trial.number}, {"cmbo_state", state_name(trial.state)}};
    if (!trial.note.empty()) attributes["cmbo_note"] = trial.note;
    json["user_attrs"] = std::move(attributes);
    json["intermediate_values"] = intermediate_values(seen.number);
    return json;
  }

 private:
  void add_times(uint32_t trial, OptunaState state, Json& json) const {
    for (const study::Slice& slice : view_.facts.slices()) {
      if (slice.trial != trial) continue;
      if (json["datetime_start"].is_null()) json["datetime_start"] = timestamp(slice.started_at);
      if (state == OptunaState::kRunning) continue;
      json["datetime_complete"] = timestamp(slice.started_at + slice.seconds);
    }
  }

  void add_parameters(const study::Trial& trial, OptunaState state, Json& json) const {
    Json distributions = Json::object(), values = Json::object(), system = Json::object();
    if (state == OptunaState::kWaiting) system["fixed_params"] = trial.parameters;
    for (const space::Parameter& parameter : view_.file.space.parameters()) {
      const auto value = trial.parameters.find(parameter.name);
      if (state == OptunaState::kWaiting || value == trial.parameters.end()) continue;
      const auto number = parameter.parse_value(*value);
      if (!number.ok()) continue;  // of a space that was changed since
      distributions[parameter.name] = distribution_text(parameter);
      values[parameter.name] = *number;
    }
    json["distributions"] = std::move(distributions);
    json["params"] = std::move(values);
    json["system_attrs"] = std::move(system);
  }

  // Optuna's reader takes no null, so a step without a finite value is left out.
  Json intermediate_values(uint32_t trial) const {
    Json values = Json::object();
    for (const size_t place : view_.facts.curve(trial)) {
      const study::Observation& observation = view_.facts.observations()[place];
      if (std::isfinite(observation.value)) {
        values[std::to_string(observation.step)] = observation.value;
      }
    }
    return values;
  }

  const StudyView& view_;
};

}  // namespace

std::string study_to_optuna_journal(const StudyView& view, const std::string& name) {
  const bool maximize = view.file.metric.goal == curves::Goal::kMaximize;
  const Json study = {{"op_code", OptunaOperation::kCreateStudy},
                      {"worker_id", "cmbo"},
                      {"study_name", name},
                      {"directions", Json::array({maximize ? OptunaDirection::kMaximize
                                                           : OptunaDirection::kMinimize})}};
  std::string text = study.dump() + "\n";
  const OptunaTrialWriter writer(view);
  for (uint32_t n = 0; n < view.facts.trials().size(); ++n) {
    const study::Trial& trial = view.facts.trials()[n];
    const bool untouched = trial.state == study::TrialState::kNew && !comes_first(trial.origin);
    if (!untouched) text += writer.write(trial_view(view, n)).dump() + "\n";
  }
  return text;
}

}  // namespace cmbo::cli
