// SPDX-License-Identifier: Apache-2.0
#include "curves/jsonl_format.h"

#include <array>
#include <cmath>
#include <fmt/format.h>

#include "curves/line_reader.h"
#include "curves/values.h"

namespace cmbo::curves {

namespace {

constexpr std::array<std::string_view, 8> kHeaderKeys = {
    "task", "metric", "goal", "fidelity", "first_epoch", "last_epoch", "range", "parameters"};

constexpr std::string_view kNotFiniteHint = "write null for a value that is not finite";

Result<std::string> text_of(const Json& header, const char* key) {
  const auto found = header.find(key);
  if (found == header.end()) return Error(fmt::format("{}: missing from the header; add it", key));
  if (!found->is_string()) {
    return Error(fmt::format("{}: must be text, not {}", key, json_kind(*found)));
  }
  return found->get<std::string>();
}

Result<int> epoch_of(const Json& header, const char* key) {
  const auto found = header.find(key);
  if (found == header.end()) return Error(fmt::format("{}: missing from the header; add it", key));
  if (!found->is_number_integer() || *found < 0 || *found > kMaxEpochs) {
    return Error(fmt::format("{}: must be a whole number from 0 to {}", key, kMaxEpochs));
  }
  return found->get<int>();
}

Result<std::optional<double>> range_end(const Json& json) {
  if (json.is_null()) return std::optional<double>();
  if (!json.is_number()) {
    return Error(fmt::format("range: an end must be a number or null, not {}", json_kind(json)));
  }
  return std::optional(json.get<double>());
}

Result<Range> range_of(const Json& header) {
  Range range;
  const auto found = header.find("range");
  if (found == header.end() || found->is_null()) return range;
  if (!found->is_array() || found->size() != 2) return Error("range: must be a list [low, high]");
  CMBO_TRY(range.low, range_end((*found)[0]));
  CMBO_TRY(range.high, range_end((*found)[1]));
  return range;
}

Result<TaskHeader> parse_header(const Json& json) {
  if (!json.is_object() || !json.contains("task")) {
    return Error("the first line must be a header with the key \"task\"");
  }
  TaskHeader header;
  CMBO_TRY(header.name, text_of(json, "task"));
  CMBO_TRY(header.metric, text_of(json, "metric"));
  CMBO_TRY(const std::string goal, text_of(json, "goal"));
  const auto known_goal = goal_from_name(goal);
  if (!known_goal) return Error("goal: must be \"maximize\" or \"minimize\"");
  header.goal = *known_goal;
  if (json.contains("fidelity")) {
    CMBO_TRY(header.fidelity, text_of(json, "fidelity"));
  }
  CMBO_TRY(header.first_epoch, epoch_of(json, "first_epoch"));
  CMBO_TRY(header.last_epoch, epoch_of(json, "last_epoch"));
  CMBO_TRY(header.range, range_of(json));
  if (!json.contains("parameters")) return Error("parameters: missing from the header; add them");
  auto space = space::Space::from_json(json["parameters"]);
  if (!space.ok()) return space.error().within("parameters");
  header.space = std::move(space).value();
  for (const auto& [key, value] : json.items()) {
    if (std::find(kHeaderKeys.begin(), kHeaderKeys.end(), key) == kHeaderKeys.end()) {
      header.notes[key] = value;
    }
  }
  return header;
}

struct Row {
  space::Configuration configuration;
  std::vector<float> curve;
};

Result<Row> parse_row(const Json& json, const space::Space& space) {
  if (!json.is_object() || json.size() != 2 || !json.contains("config") ||
      !json.contains("curve")) {
    return Error("every line after the header must be {\"config\":{...},\"curve\":[...]}");
  }
  Row row;
  auto configuration = space.configuration_from_json(json["config"], true);
  if (!configuration.ok()) return configuration.error().within("config");
  row.configuration = std::move(configuration).value();
  auto curve = curve_from_json(json["curve"]);
  if (!curve.ok()) return curve.error().within("curve");
  row.curve = std::move(curve).value();
  return row;
}

// Parameters that some row lacks although no condition says so.
Result<space::Space> with_optional_parameters(const space::Space& space,
                                              const std::vector<Row>& rows) {
  std::vector<space::Parameter> parameters(space.parameters().begin(), space.parameters().end());
  for (size_t i = 0; i < parameters.size(); ++i) {
    if (!parameters[i].when.empty()) continue;
    parameters[i].optional |= std::any_of(
        rows.begin(), rows.end(), [&](const Row& row) { return !row.configuration.is_active(i); });
  }
  return space::Space::create(std::move(parameters));
}

// Parses one line; the errors of `parse_json` get a hint where Python's NaN is the likely cause.
Result<Json> parse_line(std::string_view line) {
  auto json = parse_json(line);
  if (json.ok()) return json;
  const bool python =
      line.find("NaN") != std::string_view::npos || line.find("Infinity") != std::string_view::npos;
  const std::string_view hint = python ? kNotFiniteHint : "is the file cut off or damaged?";
  return Error(fmt::format("{}; {}", json.error().message(), hint));
}

Result<Task> build_task(TaskHeader header, std::vector<Row> rows, const std::string& name) {
  CMBO_TRY(header.space, with_optional_parameters(header.space, rows));
  auto task = Task::create(std::move(header));
  if (!task.ok()) return task.error().within(name + ":1");
  for (size_t n = 0; n < rows.size(); ++n) {
    const Status added = task->add(std::move(rows[n].configuration), rows[n].curve);
    if (!added.ok()) return added.error().within(fmt::format("{}:{}", name, n + 2));
  }
  return task;
}

}  // namespace

Status read_jsonl(ByteSource& source, const std::string& name, CurveSet& set) {
  LineReader lines(source, name);
  CMBO_TRY(auto line, lines.next());
  if (!line) return Error(fmt::format("{}: the file is empty; remove it", name));
  const auto located = [&](const Error& error) { return lines.error(error.message()); };

  const auto header_json = parse_line(*line);
  if (!header_json.ok()) return located(header_json.error());
  auto header = parse_header(*header_json);
  if (!header.ok()) return located(header.error());

  std::vector<Row> rows;
  for (;;) {
    CMBO_TRY(line, lines.next());
    if (!line) break;
    const auto json = parse_line(*line);
    if (!json.ok()) return located(json.error());
    auto row = parse_row(*json, header->space);
    if (!row.ok()) return located(row.error());
    rows.push_back(std::move(row).value());
  }
  if (rows.empty()) return Error(fmt::format("{}: no configuration after the header", name));
  CMBO_TRY(Task task, build_task(std::move(header).value(), std::move(rows), name));
  const Status added = set.add(std::move(task));
  if (!added.ok()) return added.error().within(name);
  return {};
}

std::string task_to_jsonl(const Task& task) {
  const TaskHeader& header = task.header();
  Json json = {{"task", header.name},
               {"metric", header.metric},
               {"goal", goal_name(header.goal)},
               {"fidelity", header.fidelity},
               {"first_epoch", header.first_epoch},
               {"last_epoch", header.last_epoch}};
  if (header.range.low || header.range.high) {
    const auto end = [](std::optional<double> value) { return value ? Json(*value) : Json(); };
    json["range"] = Json::array({end(header.range.low), end(header.range.high)});
  }
  json.update(header.notes);
  json["parameters"] = header.space.to_json();

  std::string text = json.dump() + "\n";
  for (size_t n = 0; n < task.size(); ++n) {
    const Json config = header.space.configuration_to_json(task.configuration(n));
    text += fmt::format("{{\"config\":{},\"curve\":[", config.dump());
    bool first = true;
    for (const float value : task.curve(n)) {
      if (!std::exchange(first, false)) text += ',';
      text += std::isnan(value) ? "null" : fmt::format("{}", value);
    }
    text += "]}\n";
  }
  return text;
}

}  // namespace cmbo::curves
