// SPDX-License-Identifier: Apache-2.0
#include "cli/study_plot.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "chart/figure.h"
#include "cli/curves_plot.h"
#include "cli/study_export.h"
#include "cli/study_text.h"
#include "cli/text.h"
#include "study/metric_scale.h"

namespace cmbo::cli {

namespace {

chart::Polyline curve_line(const StudyView& view, uint32_t trial) {
  chart::Polyline line;
  for (const size_t place : view.facts.curve(trial)) {
    const study::Observation& observation = view.facts.observations()[place];
    line.push_back({static_cast<double>(observation.step), observation.value});
  }
  return line;
}

// What a fan looks like. Several wide ones on top of each other hide everything.
struct FanStyle {
  const char* color;
  bool wide;  // with the outer band
};

// The fan begins at the last observed value, so that it is seen to grow out of its curve.
void add_fan(const StudyView& view, const TrialForecast& future, const FanStyle& style,
             chart::Panel& panel) {
  const char* color = style.color;
  std::vector<double> steps;
  std::vector<std::vector<double>> quantiles(kFanLevels.size());
  chart::Polyline median;
  const auto add = [&](uint32_t step, const std::array<double, kFanLevels.size()>& row) {
    steps.push_back(step);
    for (size_t level = 0; level < row.size(); ++level) quantiles[level].push_back(row[level]);
    median.push_back({static_cast<double>(step), row[kFanMedian]});
  };
  if (const study::Observation* last = view.facts.last(future.trial)) {
    std::array<double, kFanLevels.size()> row{};
    row.fill(last->value);
    add(last->step, row);
  }
  uint32_t step = future.observed;
  for (const auto& row : future.quantiles) add(++step, row);
  if (style.wide) {
    panel.add_band(steps, quantiles[0], quantiles[4], {.color = color, .opacity = 0.10});
  }
  panel.add_band(steps, quantiles[1], quantiles[3], {.color = color, .opacity = 0.20});
  panel.add_line(std::move(median), {.color = color, .width = 1.2, .dashed = true});
}

std::string curve_label(const StudyView& view, uint32_t number) {
  const TrialView trial = trial_view(view, number);
  return fmt::format("trial {}, best {} at {} {}", number, number_text(trial.best),
                     view.file.fidelity.name, trial.best_step);
}

std::string curves_subtitle(const StudyView& view, size_t curves, size_t fans) {
  std::string text = fmt::format("{}, {} trained", plural(curves, "configuration"),
                                 steps_text(view.file, view.facts.observations().size()));
  if (fans > 0) text += "; fans hold 50 % of what is expected, of the best one 90 % too";
  return text;
}

// What a study had after each expense.
struct Trajectory {
  chart::Polyline best;  // values of the metric
  chart::Polyline utility;
};

Result<Trajectory> trajectory_of(const StudyView& view) {
  const auto& normalization = study::metric_scale(view.file.metric, view.facts).normalization;
  CMBO_TRY(const decide::Utility utility, study::utility_over(view.file.utility, normalization));
  Trajectory trajectory;
  double spent = 0.0;
  std::optional<double> best;
  for (const study::Expense& expense : study::expenses_of(view.file, view.facts)) {
    spent += expense.cost;
    if (expense.observation != nullptr && std::isfinite(expense.observation->value)) {
      const double value = expense.observation->value;
      if (!best || view.file.metric.better(value, *best)) best = value;
    }
    const double x = spent / view.file.utility.unit_size;
    if (best) trajectory.best.push_back({x, *best});
    trajectory.utility.push_back({x, utility(spent, best ? normalization.normalize(*best) : 0.0)});
  }
  return trajectory;
}

const chart::Point& highest(const chart::Polyline& line) {
  return *std::max_element(line.begin(), line.end(),
                           [](const auto& a, const auto& b) { return a.y < b.y; });
}

}  // namespace

Result<std::string> study_curves_svg(const StudyView& view, const std::string& name,
                                     std::span<const uint32_t> best,
                                     std::span<const TrialForecast> futures) {
  CMBO_TRY(const curves::Task task, study_to_task(view, name));
  chart::Panel panel("", {.label = view.file.fidelity.name}, value_axis(task));
  std::vector<chart::Polyline> all;
  for (uint32_t n = 0; n < view.facts.trials().size(); ++n) {
    if (view.facts.steps(n) > 0) all.push_back(curve_line(view, n));
  }
  const size_t curves = all.size();
  panel.add_lines(std::move(all), {.color = chart::kQuietColor, .width = 0.8, .opacity = 0.5});
  for (size_t i = best.size(); i-- > 0;) {  // the best on top
    const auto future = std::find_if(futures.begin(), futures.end(), [&](const auto& candidate) {
      return candidate.trial == best[i];
    });
    if (future != futures.end()) add_fan(view, *future, {chart::palette(i), i == 0}, panel);
  }
  for (size_t i = 0; i < best.size(); ++i) {
    panel.add_line(curve_line(view, best[i]),
                   {.color = chart::palette(i), .label = curve_label(view, best[i])});
    if (view.facts.steps(best[i]) == 1) {  // a line of one point is not seen
      panel.add_points(curve_line(view, best[i]), {.color = chart::palette(i), .radius = 2.5});
    }
  }
  chart::Figure figure("Learning curves: " + name, curves_subtitle(view, curves, futures.size()));
  figure.add_panel(std::move(panel));
  return figure.to_svg();
}

Result<std::string> study_utility_svg(const StudyView& view, const std::string& name) {
  CMBO_TRY(Trajectory trajectory, trajectory_of(view));
  if (trajectory.utility.empty()) {
    return Error("nothing has been trained yet, so there is nothing to draw; see cmbo status");
  }
  const std::string cost = "cost in " + view.file.utility.unit_word;
  chart::Panel best("Best so far", {.label = cost}, {.label = view.file.metric.name});
  best.add_line(std::move(trajectory.best), {.color = chart::palette(2)});
  chart::Panel utility("Utility", {.label = cost}, {.label = "utility"});
  const chart::Point peak = highest(trajectory.utility);
  utility.add_line(trajectory.utility, {});
  utility.add_points({peak}, {.radius = 3.5});
  utility.add_note(peak.x, peak.y, fmt::format("best {}", number_text(peak.y)));
  chart::Figure figure("What it brought: " + name,
                       utility_text(view.file.utility, view.file.metric));
  figure.add_panel(std::move(best));
  figure.add_panel(std::move(utility));
  return figure.to_svg();
}

}  // namespace cmbo::cli
