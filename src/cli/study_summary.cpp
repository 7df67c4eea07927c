// SPDX-License-Identifier: Apache-2.0
#include "cli/study_summary.h"

#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace cmbo::cli {

namespace {

std::string csv_cell(std::string text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  for (size_t at = text.find('"'); at != std::string::npos; at = text.find('"', at + 2)) {
    text.insert(at, 1, '"');
  }
  return '"' + text + '"';
}

std::string csv_value(const Json& parameters, const std::string& name) {
  if (!parameters.contains(name)) return "";
  const Json& value = parameters.at(name);
  return csv_cell(value.is_string() ? value.get<std::string>() : value.dump());
}

struct Curve {
  double best = std::numeric_limits<double>::quiet_NaN();
  uint32_t best_step = 0;
  double seconds = 0.0;
};

Curve curve_of(const study::StudyFile& file, const study::Facts& facts, uint32_t trial) {
  Curve curve;
  for (const size_t place : facts.curve(trial)) {
    const study::Observation& observation = facts.observations()[place];
    curve.seconds += observation.seconds;
    if (file.metric.better(observation.value, curve.best)) {
      curve.best = observation.value;
      curve.best_step = observation.step;
    }
  }
  return curve;
}

std::string trial_row(const study::StudyFile& file, const study::Facts& facts,
                      const study::Trial& trial) {
  const Curve curve = curve_of(file, facts, trial.number);
  const study::Observation* last = facts.last(trial.number);
  std::string row =
      fmt::format("{},{},{},{},{},{},{},{:.6g},{},{}", trial.number, study::state_name(trial.state),
                  study::origin_name(trial.origin), facts.steps(trial.number),
                  curve.best_step == 0 ? "" : fmt::format("{}", curve.best),
                  curve.best_step == 0 ? "" : fmt::format("{}", curve.best_step),
                  last == nullptr ? "" : fmt::format("{}", last->value), curve.seconds,
                  trial.checkpoint_bytes ? fmt::format("{}", *trial.checkpoint_bytes) : "",
                  csv_cell(trial.note));
  for (const space::Parameter& parameter : file.space.parameters()) {
    row += "," + csv_value(trial.parameters, parameter.name);
  }
  return row + "\n";
}

}  // namespace

std::string trials_csv(const study::StudyFile& file, const study::Facts& facts) {
  std::string text = "trial,state,origin,steps,best,best_step,last,seconds,checkpoint_bytes,note";
  for (const space::Parameter& parameter : file.space.parameters()) {
    text += "," + csv_cell(parameter.name);
  }
  text += "\n";
  for (const study::Trial& trial : facts.trials()) {
    if (trial.state != study::TrialState::kNew) text += trial_row(file, facts, trial);
  }
  return text;
}

std::string epochs_csv(const study::Facts& facts) {
  std::string text = "trial,step,value,seconds,slice\n";
  for (const study::Observation& observation : facts.observations()) {
    text += fmt::format("{},{},{},{:.6g},{}\n", observation.trial, observation.step,
                        observation.value, observation.seconds, observation.slice);
  }
  return text;
}

Status write_summary(const study::StudyFile& file, const study::Facts& facts,
                     const StudyPaths& paths, FileSystem& files) {
  CMBO_RETURN_IF_ERROR(files.create_directories(paths.trials_csv().parent_path()));
  CMBO_RETURN_IF_ERROR(files.write_atomically(paths.trials_csv(), trials_csv(file, facts)));
  return files.write_atomically(paths.epochs_csv(), epochs_csv(facts));
}

}  // namespace cmbo::cli
