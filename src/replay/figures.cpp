// SPDX-License-Identifier: Apache-2.0
#include "replay/figures.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <functional>
#include <map>
#include <set>
#include <tuple>

#include "chart/figure.h"
#include "replay/chosen_figure.h"
#include "replay/grouping.h"
#include "replay/stop_sweep.h"
#include "replay/trained_figure.h"

namespace cmbo::replay {

namespace {

constexpr double kLeastBeta = 0.02, kMostBeta = 150.0;  // where the limits 0 and ∞ are drawn
constexpr double kLeastRegret = 1e-4;  // drawn for less, which a logarithmic axis cannot show

Status check_unmixed(std::span<const RunRecord> runs) {
  std::set<std::tuple<std::string, std::string, std::string, double, uint64_t>> seen;
  for (const RunRecord& run : runs) {
    const RunKey& key = run.key;
    if (seen.insert({key.benchmark, key.task, key.method, key.alpha, key.seed}).second) continue;
    return Error(fmt::format(
        "{} ran twice on '{}' with alpha {} and seed {}, under different options; replay each "
        "setting into an --out of its own",
        key.method, key.task, key.alpha, key.seed));
  }
  return {};
}

// The mean over runs at every step; `after_end`: a run that ended keeps its last value.
chart::Polyline mean_line(const Runs& runs, double StepRecord::*member, bool after_end) {
  size_t longest = 0;
  for (const RunRecord* run : runs) longest = std::max(longest, run->outcome.steps.size());
  chart::Polyline line;
  for (size_t b = 0; b < longest; ++b) {
    double sum = 0.0, count = 0.0;
    for (const RunRecord* run : runs) {
      const std::vector<StepRecord>& steps = run->outcome.steps;
      if (b >= steps.size() && !after_end) continue;
      sum += steps[std::min(b, steps.size() - 1)].*member;
      ++count;
    }
    line.push_back({static_cast<double>(b + 1), sum / count});
  }
  return line;
}

void raise_to_least(chart::Polyline& line) {
  for (chart::Point& point : line) point.y = std::max(point.y, kLeastRegret);
}

// Where the rule stopped each run, or would have.
chart::Polyline stops_of(const Runs& runs) {
  chart::Polyline stops;
  for (const RunRecord* run : runs) {
    if (!run->outcome.stopped_at) continue;
    const size_t at = *run->outcome.stopped_at;
    stops.push_back({static_cast<double>(at), run->outcome.steps[at - 1].regret});
  }
  return stops;
}

chart::Point center(const chart::Polyline& points) {
  chart::Point sum;
  for (const chart::Point& point : points) sum = {sum.x + point.x, sum.y + point.y};
  const auto count = static_cast<double>(points.size());
  return {sum.x / count, sum.y / count};
}

void add_stops(const Runs& runs, size_t color, chart::Panel& panel) {
  chart::Polyline stops = stops_of(runs);
  if (stops.empty()) return;
  const chart::Point mean{center(stops).x, std::max(center(stops).y, kLeastRegret)};
  raise_to_least(stops);
  panel.add_points(std::move(stops),
                   {.color = chart::palette(color), .radius = 2.5, .opacity = 0.6});
  panel.add_points(
      {mean}, {.color = chart::palette(color), .marker = chart::Marker::kDiamond, .radius = 6.0});
}

std::string regret_svg(const Group& group) {
  chart::Panel panel("", {.label = "step (one epoch of one configuration)"},
                     {.label = fmt::format("normalized regret (from {})", kLeastRegret),
                      .scale = chart::Scale::kLog});
  for (size_t m = 0; m < group.methods.size(); ++m) {
    chart::Polyline line = mean_line(group.methods[m].second, &StepRecord::regret, true);
    raise_to_least(line);
    panel.add_line(std::move(line), {.color = chart::palette(m), .label = group.methods[m].first});
    add_stops(group.methods[m].second, m, panel);
  }
  chart::Figure figure(
      fmt::format("Regret on {}, α = {}", group.benchmark, group.alpha),
      "mean over runs; dots: where the rule stopped runs, diamonds: the mean of the dots");
  figure.add_panel(std::move(panel));
  return figure.to_svg();
}

std::string choices_svg(const Group& group) {
  chart::Panel regret("What the chosen configuration could bring", {.label = "step"},
                      {.label = "least reachable regret", .scale = chart::Scale::kLog});
  chart::Panel horizon("How soon", {.label = "step"}, {.label = "Δt that brings it, epochs"});
  for (size_t m = 0; m < group.methods.size(); ++m) {
    const auto& [name, runs] = group.methods[m];
    chart::Polyline line = mean_line(runs, &StepRecord::reachable_regret, false);
    raise_to_least(line);
    regret.add_line(std::move(line), {.color = chart::palette(m), .width = 1.5, .label = name});
    horizon.add_line(mean_line(runs, &StepRecord::reachable_horizon, false),
                     {.color = chart::palette(m), .width = 1.5, .label = name});
  }
  chart::Figure figure(fmt::format("Choices on {}, α = {}", group.benchmark, group.alpha),
                       "by the recorded future; mean over runs that are still going");
  figure.add_panel(std::move(regret));
  figure.add_panel(std::move(horizon));
  return figure.to_svg();
}

// Regret at the stop over beta; the ends stand for what a logarithmic axis cannot show. Dashed: the
// rule of the look.
std::string sweep_svg(const std::string& benchmark, std::span<const SweptStop> stops) {
  chart::Panel panel("", {.label = "β of the paper's rule", .scale = chart::Scale::kLog},
                     {.label = "normalized regret at the stop"});
  std::map<double, std::map<double, double>> by_beta;  // alpha, beta
  std::map<double, double> by_look;                    // alpha
  for (const SweptStop& stop : stops) {
    if (stop.benchmark != benchmark) continue;
    if (stop.beta) {
      by_beta[stop.alpha][std::clamp(*stop.beta, kLeastBeta, kMostBeta)] = stop.regret;
    } else if (stop.rule == kLookRule) {
      by_look[stop.alpha] = stop.regret;
    }
  }
  size_t color = 0;
  for (const auto& [alpha, regrets] : by_beta) {
    chart::Polyline line;
    for (const auto& [beta, regret] : regrets) line.push_back({beta, regret});
    panel.add_points(line, {.color = chart::palette(color), .radius = 3.0});
    panel.add_line(std::move(line),
                   {.color = chart::palette(color), .label = fmt::format("α = {}", alpha)});
    const double look = by_look.at(alpha);
    panel.add_line({{kLeastBeta, look}, {kMostBeta, look}},
                   {.color = chart::palette(color++), .width = 1.5, .dashed = true});
  }
  chart::Figure figure(fmt::format("When to stop on {}", benchmark),
                       "mean over tasks; the first point is β → 0, the last β → ∞; dashed: the "
                       "rule of the look");
  figure.add_panel(std::move(panel));
  return figure.to_svg();
}

// Each method's first run on each task.
std::map<std::string, Runs> first_runs(const Group& group) {
  std::map<std::string, Runs> by_task;
  for (const auto& [name, runs] : group.methods) {
    std::set<std::string> seen;
    for (const RunRecord* run : runs) {
      if (seen.insert(run->key.task).second) by_task[run->key.task].push_back(run);
    }
  }
  return by_task;
}

}  // namespace

std::string picture_file(std::string name) {
  std::replace_if(
      name.begin(), name.end(),
      [](unsigned char c) { return std::isalnum(c) == 0 && c != '-' && c != '_' && c != '.'; },
      '_');
  constexpr size_t kLongest = 200;
  name.resize(std::min(name.size(), kLongest));
  return name + ".svg";
}

Result<std::vector<Picture>> draw_figures(std::span<const RunRecord> runs) {
  CMBO_RETURN_IF_ERROR(check_unmixed(runs));
  std::vector<Picture> pictures;
  for (const Group& group : group_runs(runs)) {
    const std::string setting = fmt::format("{}-{}", group.benchmark, group.alpha);
    pictures.push_back({picture_file("regret-" + setting), regret_svg(group)});
    pictures.push_back({picture_file("choices-" + setting), choices_svg(group)});
    for (const auto& [task, firsts] : first_runs(group)) {
      pictures.push_back({picture_file(fmt::format("chosen-{}-{}", setting, task)),
                          chosen_svg(task, group.alpha, firsts)});
      std::vector<std::string> trained = trained_svgs(firsts);
      for (size_t m = 0; m < firsts.size(); ++m) {
        const std::string name =
            fmt::format("trained-{}-{}-{}", setting, firsts[m]->key.method, task);
        pictures.push_back({picture_file(name), std::move(trained[m])});
      }
    }
  }
  const std::vector<SweptStop> stops = sweep_stops(runs);
  std::set<std::string> swept;
  for (const SweptStop& stop : stops) swept.insert(stop.benchmark);
  for (const std::string& benchmark : swept) {
    pictures.push_back({picture_file("stops-" + benchmark), sweep_svg(benchmark, stops)});
  }
  return pictures;
}

}  // namespace cmbo::replay
