// SPDX-License-Identifier: Apache-2.0
#include "replay/trained_figure.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

#include "chart/figure.h"

namespace cmbo::replay {

namespace {

// Darker is better. A shade begins where so large a share of all values is lower: most values are
// alike, and what matters are the few at the top.
constexpr double kShares[] = {0.0, 0.5, 0.75, 0.9, 0.97};
constexpr const char* kColors[] = {"#c9ced6", "#fdc56a", "#f0813a", "#c93560", "#4b1677"};
constexpr size_t kShades = std::size(kShares);
constexpr double kRoomForRows = 360.0;  // px, about the height of a plot

// The least value of each shade.
std::vector<double> shade_bounds(std::span<const RunRecord* const> runs) {
  std::vector<double> values, bounds;
  for (const RunRecord* run : runs) {
    for (const StepRecord& step : run->outcome.steps) values.push_back(step.value);
  }
  std::sort(values.begin(), values.end());
  for (const double share : kShares) {
    bounds.push_back(values[static_cast<size_t>(share * static_cast<double>(values.size()))]);
  }
  return bounds;
}

size_t shade_of(double value, const std::vector<double>& bounds) {
  const auto above = std::upper_bound(bounds.begin(), bounds.end(), value);
  return static_cast<size_t>(above - bounds.begin()) - 1;
}

std::string shade_label(size_t shade, const std::vector<double>& bounds) {
  if (shade + 1 == kShades) return fmt::format("value from {:.3g}", bounds[shade]);
  return fmt::format("{:.3g} to {:.3g}", bounds[shade], bounds[shade + 1]);
}

// The rows, from 1, of configurations.
std::map<double, double> rows_of(const std::vector<StepRecord>& steps) {
  std::map<double, double> rows;
  for (const StepRecord& step : steps) {
    rows.emplace(step.configuration, static_cast<double>(rows.size() + 1));
  }
  return rows;
}

// A bar for each stretch of steps with the same configuration and shade, by shade.
std::vector<std::vector<chart::Polyline>> bars_of(const std::vector<StepRecord>& steps,
                                                  const std::map<double, double>& rows,
                                                  const std::vector<double>& bounds) {
  std::vector<std::vector<chart::Polyline>> bars(kShades);
  for (size_t begin = 0, end = 0; begin < steps.size(); begin = end) {
    const double configuration = steps[begin].configuration;
    const size_t shade = shade_of(steps[begin].value, bounds);
    while (end < steps.size() && steps[end].configuration == configuration &&
           shade_of(steps[end].value, bounds) == shade) {
      ++end;
    }
    const double row = rows.at(configuration);
    bars[shade].push_back(
        {{static_cast<double>(begin) + 0.5, row}, {static_cast<double>(end) + 0.5, row}});
  }
  return bars;
}

std::string trained_svg(const RunRecord& run, const std::vector<double>& bounds) {
  const std::map<double, double> rows = rows_of(run.outcome.steps);
  chart::Panel panel("", {.label = "step"},
                     {.label = "configuration, in the order of their first epochs", .low = 0.0});
  auto bars = bars_of(run.outcome.steps, rows, bounds);
  const double width = std::clamp(kRoomForRows / static_cast<double>(rows.size()), 1.5, 8.0);
  for (size_t i = 0; i < kShades; ++i) {
    if (bars[i].empty()) continue;
    panel.add_lines(std::move(bars[i]),
                    {.color = kColors[i], .width = width, .label = shade_label(i, bounds)});
  }
  chart::Figure figure(fmt::format("What {} trained, when", run.key.method),
                       fmt::format("{}, α = {}", run.key.task, run.key.alpha));
  figure.add_panel(std::move(panel));
  return figure.to_svg();
}

}  // namespace

std::vector<std::string> trained_svgs(std::span<const RunRecord* const> runs) {
  const std::vector<double> bounds = shade_bounds(runs);
  std::vector<std::string> svgs;
  for (const RunRecord* run : runs) svgs.push_back(trained_svg(*run, bounds));
  return svgs;
}

}  // namespace cmbo::replay
