// SPDX-License-Identifier: Apache-2.0
#include "curves/summary.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_set>
#include <vector>

#include "curves/normalization.h"

namespace cmbo::curves {

namespace {

using ConfigurationSet = std::unordered_set<space::Configuration, space::Configuration::Hash>;

bool has_diverged(std::span<const float> curve) {
  return std::any_of(curve.begin(), curve.end(), [](float value) { return std::isnan(value); });
}

// Last values, the best first; diverged ones are infinitely bad and so come last.
std::vector<double> ranked_finals(const Task& task) {
  const bool maximize = task.header().goal == Goal::kMaximize;
  const double worst = std::numeric_limits<double>::infinity() * (maximize ? -1 : 1);
  std::vector<double> finals;
  for (size_t n = 0; n < task.size(); ++n) {
    const float last = task.curve(n).back();
    finals.push_back(std::isnan(last) ? worst : static_cast<double>(last));
  }
  std::sort(finals.begin(), finals.end(),
            [&](double a, double b) { return maximize ? a > b : a < b; });
  return finals;
}

std::optional<double> if_finite(double value) {
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

Json to_json(std::optional<double> value) {
  return value ? Json(*value) : Json();
}

}  // namespace

TaskSummary summarize(const Task& task) {
  TaskSummary summary;
  summary.configurations = task.size();
  summary.parameters = task.space().size();
  summary.initial = task.initial_value();
  ConfigurationSet seen;
  for (size_t n = 0; n < task.size(); ++n) {
    const std::span<const float> curve = task.curve(n);
    summary.shortest = n == 0 ? curve.size() : std::min(summary.shortest, curve.size());
    summary.longest = std::max(summary.longest, curve.size());
    summary.diverged += has_diverged(curve) ? 1 : 0;
    summary.repeated += seen.insert(task.configuration(n)).second ? 0 : 1;
  }
  for (const float recorded : task.values()) {
    if (std::isnan(recorded)) continue;
    const auto value = static_cast<double>(recorded);
    summary.smallest = std::min(value, summary.smallest.value_or(value));
    summary.largest = std::max(value, summary.largest.value_or(value));
  }
  if (task.size() == 0) return summary;
  const std::vector<double> finals = ranked_finals(task);
  summary.best_final = if_finite(finals.front());
  summary.median_final = if_finite(finals[finals.size() / 2]);
  return summary;
}

Json summary_to_json(const Task& task, const TaskSummary& summary) {
  const TaskHeader& header = task.header();
  const auto share = static_cast<double>(summary.diverged) / static_cast<double>(task.size());
  Json json = {{"task", header.name},
               {"metric", header.metric},
               {"goal", goal_name(header.goal)},
               {"fidelity", header.fidelity},
               {"first_epoch", header.first_epoch},
               {"last_epoch", header.last_epoch},
               {"configurations", summary.configurations},
               {"repeated", summary.repeated},
               {"parameters", summary.parameters},
               {"encoded_dimensions", header.space.encoded_size()},
               {"shortest", summary.shortest},
               {"longest", summary.longest},
               {"diverged", summary.diverged},
               {"diverged_share", share},
               {"min", to_json(summary.smallest)},
               {"max", to_json(summary.largest)},
               {"initial", to_json(summary.initial)},
               {"best_final", to_json(summary.best_final)},
               {"median_final", to_json(summary.median_final)},
               {"normalization", preset_name(resolve_preset(task, Preset::kAuto))}};
  if (header.notes.contains("source")) json["source"] = header.notes["source"];
  return json;
}

}  // namespace cmbo::curves
