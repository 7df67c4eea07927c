// SPDX-License-Identifier: Apache-2.0
#include "replay/extrapolation_figure.h"

#include <algorithm>
#include <fmt/format.h>

#include "chart/figure.h"
#include "forecast/forecaster.h"
#include "replay/chosen_figure.h"

namespace cmbo::replay {

namespace {

constexpr size_t kRows = 3;
constexpr size_t kEarlySteps[] = {0, 10, 50};
const std::vector<float> kFanLevels = {0.05F, 0.25F, 0.5F, 0.75F, 0.95F};

// 0, 10, 50 and all, as far as the run goes.
std::vector<size_t> moments(size_t steps) {
  std::vector<size_t> shown;
  for (const size_t early : kEarlySteps) {
    if (early < steps) shown.push_back(early);
  }
  shown.push_back(steps);
  return shown;
}

// The curves as far as they were known after `steps` steps.
curves::CurveTable known_after(const RunRecord& run, size_t steps, curves::CurveTable table) {
  std::fill(table.lengths.begin(), table.lengths.end(), 0U);
  for (size_t b = 0; b < steps; ++b) {
    const StepRecord& step = run.outcome.steps[b];
    table.lengths[static_cast<size_t>(step.configuration)] = static_cast<uint32_t>(step.epoch);
  }
  return table;
}

chart::Polyline points_of(std::span<const float> curve) {
  chart::Polyline line;
  for (size_t i = 0; i < curve.size(); ++i) {
    line.push_back({static_cast<double>(i + 1), static_cast<double>(curve[i])});
  }
  return line;
}

void add_fan(const forecast::Forecast& forecast, size_t q, chart::Panel& panel) {
  std::vector<double> epochs;
  std::vector<std::vector<double>> quantiles(kFanLevels.size());
  chart::Polyline median;
  for (size_t epoch = forecast.lengths[q] + 1; epoch <= forecast.horizon; ++epoch) {
    epochs.push_back(static_cast<double>(epoch));
    const std::span<const float> values = forecast.at(q, epoch);
    for (size_t i = 0; i < values.size(); ++i)
      quantiles[i].push_back(static_cast<double>(values[i]));
    median.push_back({epochs.back(), quantiles[2].back()});
  }
  panel.add_band(epochs, quantiles[0], quantiles[4], {.opacity = 0.15, .label = "90 %"});
  panel.add_band(epochs, quantiles[1], quantiles[3], {.opacity = 0.25, .label = "50 %"});
  panel.add_line(std::move(median), {.label = "median"});
}

}  // namespace

std::string extrapolation_svg(const RunRecord& run, const curves::CurveTable& table,
                              const network::Model& model, ThreadPool& pool) {
  std::vector<uint32_t> shown;
  for (const double n : most_chosen(run.outcome.steps, kRows)) {
    shown.push_back(static_cast<uint32_t>(n));
  }
  const std::vector<size_t> when = moments(run.outcome.steps.size());
  std::vector<forecast::Forecast> forecasts;
  for (const size_t steps : when) {
    forecasts.push_back(
        forecast::forecast(model, known_after(run, steps, table), shown, kFanLevels, pool));
  }
  chart::Figure figure(
      fmt::format("Forecasts as a run goes on, {}, α = {}", run.key.method, run.key.alpha),
      run.key.task);
  figure.set_columns(when.size());
  for (size_t q = 0; q < shown.size(); ++q) {
    for (size_t i = 0; i < when.size(); ++i) {
      const uint32_t seen = forecasts[i].lengths[q];
      chart::Panel panel(fmt::format("{}, after {} steps", shown[q], when[i]), {.label = "epoch"},
                         {.label = "performance", .low = 0.0, .high = 1.0});
      add_fan(forecasts[i], q, panel);
      const std::span<const float> curve = table.curve(shown[q]);
      panel.add_line(points_of(curve),
                     {.color = "#888888", .width = 1.0, .dashed = true, .label = "recorded"});
      panel.add_line(points_of(curve.first(seen)), {.color = "#222222", .label = "seen"});
      figure.add_panel(std::move(panel));
    }
  }
  return figure.to_svg();
}

}  // namespace cmbo::replay
