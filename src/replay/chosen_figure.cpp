// SPDX-License-Identifier: Apache-2.0
#include "replay/chosen_figure.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

#include "chart/figure.h"

namespace cmbo::replay {

namespace {

constexpr size_t kShown = 10;

// Level while others are trained, up by one at each of its own steps.
chart::Polyline staircase(const std::vector<StepRecord>& steps, double configuration) {
  chart::Polyline line;
  double epochs = 0.0;
  for (size_t b = 1; b <= steps.size(); ++b) {
    if (steps[b - 1].configuration != configuration) continue;
    line.push_back({static_cast<double>(b), epochs});
    epochs = steps[b - 1].epoch;
    line.push_back({static_cast<double>(b), epochs});
  }
  line.push_back({static_cast<double>(steps.size()), epochs});
  return line;
}

}  // namespace

std::vector<double> most_chosen(std::span<const StepRecord> steps, size_t count) {
  std::map<double, size_t> counts;
  std::vector<double> order;
  for (const StepRecord& step : steps) {
    if (counts[step.configuration]++ == 0) order.push_back(step.configuration);
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](double a, double b) { return counts[a] > counts[b]; });
  order.resize(std::min(order.size(), count));
  return order;
}

std::string chosen_svg(const std::string& task, double alpha,
                       std::span<const RunRecord* const> runs) {
  // Long names go where there is more room.
  chart::Figure figure(fmt::format("The ten most chosen configurations, α = {}", alpha), task);
  for (const RunRecord* run : runs) {
    const std::vector<StepRecord>& steps = run->outcome.steps;
    chart::Panel panel(run->key.method, {.label = "step"}, {.label = "epochs trained"});
    const std::vector<double> shown = most_chosen(steps, kShown);
    for (size_t i = 0; i < shown.size(); ++i) {
      panel.add_line(staircase(steps, shown[i]), {.color = chart::palette(i),
                                                  .width = 1.5,
                                                  .dashed = i >= 8,  // the palette repeats
                                                  .label = fmt::format("{}", shown[i])});
    }
    figure.add_panel(std::move(panel));
  }
  return figure.to_svg();
}

}  // namespace cmbo::replay
