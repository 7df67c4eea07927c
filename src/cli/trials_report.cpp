// SPDX-License-Identifier: Apache-2.0
#include "cli/trials_report.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

#include "cli/study_text.h"
#include "cli/text.h"
#include "cli/tune_view.h"
#include "decide/policy.h"

namespace cmbo::cli {

namespace {

std::string optional_value(const std::optional<double>& value) {
  return value ? value_text(*value) : "–";
}

// The values of a curve, several on a line.
std::string curve_lines(const StudyView& view, uint32_t trial, size_t width) {
  std::string lines, line;
  for (const size_t place : view.facts.curve(trial)) {
    const std::string value = value_text(view.facts.observations()[place].value);
    if (!line.empty() && line.size() + value.size() + 12 > width) {
      lines += fact_line(lines.empty() ? "values" : "", line);
      line.clear();
    }
    line += (line.empty() ? "" : " ") + value;
  }
  return line.empty() ? lines : lines + fact_line(lines.empty() ? "values" : "", line);
}

std::string conflict_lines(const StudyView& view, uint32_t trial) {
  std::string lines;
  for (const study::Observation& conflict : view.facts.conflicts()) {
    if (conflict.trial != trial) continue;
    lines +=
        fact_line(lines.empty() ? "warning" : "",
                  fmt::format("{} {} was reported again as {}; the first value stays",
                              view.file.fidelity.name, conflict.step, value_text(conflict.value)));
  }
  return lines;
}

std::string slices_table(const StudyView& view, uint32_t trial, size_t width) {
  TextTable table({"what came of it", view.file.fidelity.name + "s", "took"});
  bool any = false;
  for (const study::Slice& slice : view.facts.slices()) {
    if (slice.trial != trial) continue;
    any = true;
    const std::string outcome = slice.outcome ? std::string(outcome_name(*slice.outcome)) : "runs";
    const std::string note = slice.note.substr(0, slice.note.find('\n'));
    table.add({note.empty() ? outcome : fmt::format("{}: {}", outcome, note),
               fmt::format("{} to {}", slice.from + 1, slice.to), duration_text(slice.seconds)});
  }
  return any ? "\n" + table.render(width) : "";
}

std::string forecast_text(const StudyView& view, const TrialForecast& future) {
  const auto& end = future.final();
  return fmt::format("{} at {} {}, 90 % from {} to {}", value_text(end[kFanMedian]),
                     view.file.fidelity.name, view.file.fidelity.max, value_text(end.front()),
                     value_text(end.back()));
}

Json slices_to_json(const StudyView& view, uint32_t trial) {
  Json slices = Json::array();
  for (const study::Slice& slice : view.facts.slices()) {
    if (slice.trial != trial) continue;
    slices.push_back({{"slice", slice.id},
                      {"from", slice.from},
                      {"to", slice.to},
                      {"outcome", slice.outcome ? Json(outcome_name(*slice.outcome)) : Json()},
                      {"seconds", slice.seconds},
                      {"started_at", slice.started_at},
                      {"note", slice.note}});
  }
  return slices;
}

std::string considered_table(const StudyView& view, const Json& what, size_t width) {
  if (!what.contains("chosen")) return "";
  TextTable table({"considered", "expected gain", "in epochs", "forecast at the end"});
  const auto add = [&](const Json& prospect) {
    const uint32_t trial = prospect.value("trial", 0U);
    table.add({fmt::format("{}  {}", trial, parameters_text(view.facts.trials()[trial].parameters)),
               number_text(prospect.value("gain", 0.0)),
               std::to_string(prospect.value("epochs", 0U)),
               prospect.contains("final") ? number_text(prospect["final"].get<double>()) : "–"});
  };
  add(what["chosen"]);
  for (const Json& other : what.value("runners_up", Json::array())) add(other);
  std::string text = "\n" + table.render(width);
  const decide::Kept kept{what.value("trust", 1.0), what.value("kept", 1.0)};
  if (kept.of(true) < 1.0) {
    text += fmt::format(
        "\nToo little of what was promised came true, so gains are cut: "
        "of fresh trials to {:.0f} %, of others to {:.0f} %.\n",
        100.0 * kept.of(true), 100.0 * kept.of(false));
  }
  return text;
}

// What the stopping rule compared: of the look, or of the paper (decide/stopping.h).
std::string rule_text(const Json& what) {
  const auto number = [](const Json& from, const char* key) {
    return number_text(from.value(key, 0.0));
  };
  if (!what.contains("look")) {
    return fmt::format(", regret {}, threshold {}", number(what, "regret"),
                       number(what, "threshold"));
  }
  return fmt::format("; a look is worth {} and costs {}", number(what["look"], "gain"),
                     number(what["look"], "price"));
}

}  // namespace

std::string trials_to_text(const StudyView& view, std::span<const TrialView> trials, size_t width) {
  TextTable table({"trial", "state", view.file.fidelity.name + "s", "best " + view.file.metric.name,
                   "at", "last", "time"});
  for (const TrialView& trial : trials) {
    const study::Trial& record = view.facts.trials()[trial.number];
    table.add({fmt::format("{}  {}", trial.number, parameters_text(record.parameters)),
               std::string(state_name(record.state)),
               fmt::format("{}/{}", trial.steps, view.file.fidelity.max),
               optional_value(trial.best), trial.best ? std::to_string(trial.best_step) : "–",
               optional_value(trial.last), duration_text(trial.seconds)});
  }
  return table.render(width);
}

std::string trial_to_text(const StudyView& view, uint32_t number,
                          const std::optional<TrialForecast>& future, size_t width) {
  const study::Trial& record = view.facts.trials()[number];
  const TrialView trial = trial_view(view, number);
  std::string text = fmt::format("trial {}: {}, {} of {}\n\n", number, state_name(record.state),
                                 trial.steps, steps_text(view.file, view.file.fidelity.max));
  text += fact_line("with", parameters_text(record.parameters));
  text += fact_line("origin", origin_name(record.origin));
  if (!record.note.empty()) text += fact_line("because", record.note);
  if (trial.best) {
    text += fact_line("best",
                      fmt::format("{} {} at {} {}", view.file.metric.name, number_text(trial.best),
                                  view.file.fidelity.name, trial.best_step));
  }
  text += curve_lines(view, number, width);
  text += conflict_lines(view, number);
  if (future) text += fact_line("forecast", forecast_text(view, *future));
  if (trial.steps > 0) {
    text += fact_line("spent",
                      fmt::format("{}, {} of training", cost_text(view.file.utility, trial.cost),
                                  duration_text(trial.seconds)));
  }
  if (record.checkpoint_bytes) text += fact_line("on disk", bytes_text(*record.checkpoint_bytes));
  return text + slices_table(view, number, width);
}

Json trial_details_to_json(const StudyView& view, uint32_t trial,
                           const std::optional<TrialForecast>& future) {
  Json json = trial_to_json(view, trial_view(view, trial));
  Json curve = Json::array();
  for (const size_t place : view.facts.curve(trial)) {
    curve.push_back(value_to_json(view.facts.observations()[place].value));
  }
  json["curve"] = std::move(curve);
  Json conflicts = Json::array();
  for (const study::Observation& conflict : view.facts.conflicts()) {
    if (conflict.trial != trial) continue;
    conflicts.push_back({{"step", conflict.step}, {"value", value_to_json(conflict.value)}});
  }
  json["conflicts"] = std::move(conflicts);
  json["slices"] = slices_to_json(view, trial);
  json["forecast"] = future ? forecast_to_json(*future) : Json();
  return json;
}

std::string decisions_to_text(const StudyView& view,
                              std::span<const study::DecisionRecord> decisions, size_t width) {
  if (decisions.size() == 1) {
    const Json& what = decisions.front().what;
    std::string text = what.value("reason", "") + "\n";
    if (what.contains("step")) {
      text += fmt::format("step {}, utility {}{}\n", what.value("step", 0U),
                          number_text(what.value("utility", 0.0)), rule_text(what));
    }
    return text + considered_table(view, what, width);
  }
  TextTable table({"why", "step", "utility", "expected gain"});
  for (const study::DecisionRecord& decision : decisions) {
    const Json& what = decision.what;
    const auto cell = [&](const Json& from, const char* key) {
      return from.contains(key) ? number_text(from[key].get<double>()) : "–";
    };
    table.add({what.value("reason", ""), cell(what, "step"), cell(what, "utility"),
               cell(what.value("chosen", Json::object()), "gain")});
  }
  return table.render(width);
}

Json decisions_to_json(std::span<const study::DecisionRecord> decisions) {
  Json json = Json::array();
  for (const study::DecisionRecord& decision : decisions) {
    Json entry = {{"decision", decision.id},
                  {"at", decision.at},
                  {"trial", decision.trial ? Json(*decision.trial) : Json()}};
    entry.update(decision.what);
    json.push_back(std::move(entry));
  }
  return json;
}

}  // namespace cmbo::cli
