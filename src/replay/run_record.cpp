// SPDX-License-Identifier: Apache-2.0
//
// A run as a line of JSON. A trajectory is stored by columns; null stands for what is not known.
#include <cmath>
#include <fmt/format.h>

#include "replay/run_log.h"

namespace cmbo::replay {

namespace {

// Whole numbers without ".0": half of the columns are such.
Json number_to_json(double value) {
  if (!std::isfinite(value)) return nullptr;
  if (std::abs(value) < 1e9 && value == std::trunc(value)) return static_cast<int64_t>(value);
  return value;
}

Json key_to_json(const RunKey& key) {
  return {{"benchmark", key.benchmark}, {"task", key.task}, {"method", key.method},
          {"alpha", key.alpha},         {"seed", key.seed}, {"conditions", key.conditions}};
}

Json trajectory_to_json(const std::vector<StepRecord>& steps) {
  Json trajectory = Json::object();
  for (const StepColumn& column : step_columns()) {
    Json values = Json::array();
    for (const StepRecord& step : steps) values.push_back(number_to_json(step.*column.member));
    trajectory[column.name] = std::move(values);
  }
  return trajectory;
}

using IsKind = bool (Json::*)() const noexcept;

// The member `name` of `object`, if it is there and of this kind.
Result<const Json*> find_member(const Json& object, const char* name, IsKind is) {
  if (!object.is_object() || !object.contains(name)) {
    return Error(fmt::format("'{}' is missing", name));
  }
  const Json& value = object[name];
  if (!(value.*is)()) return Error(fmt::format("'{}' is {}", name, json_kind(value)));
  return &value;
}

template <typename T>
Status read_member(const Json& object, const char* name, IsKind is, T& out) {
  CMBO_TRY(const Json* value, find_member(object, name, is));
  out = value->get<T>();
  return {};
}

Result<RunKey> key_from_json(const Json& json) {
  RunKey key;
  CMBO_RETURN_IF_ERROR(read_member(json, "benchmark", &Json::is_string, key.benchmark));
  CMBO_RETURN_IF_ERROR(read_member(json, "task", &Json::is_string, key.task));
  CMBO_RETURN_IF_ERROR(read_member(json, "method", &Json::is_string, key.method));
  CMBO_RETURN_IF_ERROR(read_member(json, "alpha", &Json::is_number, key.alpha));
  CMBO_RETURN_IF_ERROR(read_member(json, "seed", &Json::is_number_unsigned, key.seed));
  CMBO_RETURN_IF_ERROR(read_member(json, "conditions", &Json::is_object, key.conditions));
  return key;
}

Status read_column(const Json& trajectory, const StepColumn& column,
                   std::vector<StepRecord>& steps) {
  CMBO_TRY(const Json* values, find_member(trajectory, column.name, &Json::is_array));
  if (values->size() != steps.size()) {
    return Error(
        fmt::format("'{}' has {} steps, not {}", column.name, values->size(), steps.size()));
  }
  for (size_t i = 0; i < steps.size(); ++i) {
    const Json& value = (*values)[i];
    if (!value.is_number() && !value.is_null()) {
      return Error(fmt::format("'{}' holds {}", column.name, json_kind(value)));
    }
    steps[i].*column.member = value.is_null() ? kUnknown : value.get<double>();
  }
  return {};
}

// Without these a step means nothing.
Status check_steps(const std::vector<StepRecord>& steps) {
  for (const StepRecord& step : steps) {
    if (!(step.configuration >= 0 && step.epoch >= 1 && std::isfinite(step.regret))) {
      return Error("a step lacks its configuration, epoch or regret");
    }
  }
  return {};
}

Result<std::vector<StepRecord>> trajectory_from_json(const Json& json) {
  CMBO_TRY(const Json* first, find_member(json, "configuration", &Json::is_array));
  if (first->empty()) return Error("a run without steps");
  std::vector<StepRecord> steps(first->size());
  for (const StepColumn& column : step_columns())
    CMBO_RETURN_IF_ERROR(read_column(json, column, steps));
  CMBO_RETURN_IF_ERROR(check_steps(steps));
  return steps;
}

}  // namespace

std::string RunKey::text() const {
  return key_to_json(*this).dump();
}

std::string record_to_line(const RunRecord& record) {
  const RunOutcome& outcome = record.outcome;
  const Json line = {{"key", key_to_json(record.key)},
                     {"stopped_at", outcome.stopped_at ? Json(*outcome.stopped_at) : Json(nullptr)},
                     {"reason", outcome.reason},
                     {"decisions", outcome.decisions},
                     {"decision_seconds", outcome.decision_seconds},
                     {"trajectory", trajectory_to_json(outcome.steps)}};
  return line.dump();
}

Result<RunRecord> record_from_line(std::string_view line) {
  CMBO_TRY(const Json json, parse_json(line));
  RunRecord record;
  CMBO_TRY(const Json* key, find_member(json, "key", &Json::is_object));
  CMBO_TRY(record.key, key_from_json(*key));
  CMBO_RETURN_IF_ERROR(read_member(json, "reason", &Json::is_string, record.outcome.reason));
  CMBO_RETURN_IF_ERROR(
      read_member(json, "decisions", &Json::is_number_unsigned, record.outcome.decisions));
  CMBO_RETURN_IF_ERROR(
      read_member(json, "decision_seconds", &Json::is_number, record.outcome.decision_seconds));
  CMBO_TRY(const Json* trajectory, find_member(json, "trajectory", &Json::is_object));
  CMBO_TRY(record.outcome.steps, trajectory_from_json(*trajectory));
  if (json.contains("stopped_at") && json["stopped_at"].is_number_unsigned()) {
    const auto stopped = json["stopped_at"].get<size_t>();
    if (stopped < 1 || stopped > record.outcome.steps.size()) {
      return Error("'stopped_at' is not one of the steps");
    }
    record.outcome.stopped_at = stopped;
  }
  return record;
}

}  // namespace cmbo::replay
