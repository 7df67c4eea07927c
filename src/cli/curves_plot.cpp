// SPDX-License-Identifier: Apache-2.0
#include "cli/curves_plot.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>

#include "chart/figure.h"
#include "cli/curve_files.h"
#include "cli/text.h"

namespace cmbo::cli {

namespace {

using curves::Goal;
using curves::Task;

constexpr const char* kDivergedColor = "#b2182b";
constexpr double kShownQuantile = 0.95;  // of the values, when the rest is far away
constexpr double kFarAway = 2.0;         // times the height of the shown part

chart::Polyline line_of(const Task& task, size_t n) {
  const std::span<const float> curve = task.curve(n);
  chart::Polyline line;
  for (size_t i = 0; i < curve.size(); ++i) {
    line.push_back({static_cast<double>(task.header().first_epoch) + static_cast<double>(i),
                    static_cast<double>(curve[i])});
  }
  return line;
}

// The finite values, the best first.
std::vector<double> ranked_values(const Task& task) {
  std::vector<double> values;
  for (const float value : task.values()) {
    if (!std::isnan(value)) values.push_back(static_cast<double>(value));
  }
  const bool maximize = task.header().goal == Goal::kMaximize;
  std::sort(values.begin(), values.end(),
            [&](double a, double b) { return maximize ? a > b : a < b; });
  return values;
}

// Cuts the axis on its bad side, if a few values there would flatten all others.
void cut_outliers(const Task& task, chart::Axis& axis) {
  const std::vector<double> values = ranked_values(task);
  if (values.empty()) return;
  const double best = values.front();
  const double bad =
      values[static_cast<size_t>(kShownQuantile * static_cast<double>(values.size() - 1))];
  if (std::abs(values.back() - best) <= kFarAway * std::abs(bad - best)) return;
  const double margin = 0.05 * (bad - best);
  (task.header().goal == Goal::kMaximize ? axis.low : axis.high) = bad + margin;
  (task.header().goal == Goal::kMaximize ? axis.high : axis.low) = best - margin;
}

bool leaves_picture(std::span<const float> curve, const chart::Axis& axis) {
  return std::any_of(curve.begin(), curve.end(), [&](float value) {
    const auto v = static_cast<double>(value);
    return v < axis.low.value_or(v) || v > axis.high.value_or(v);
  });
}

// Indices of the curves with the best last values, the best first.
std::vector<size_t> best_curves(const Task& task, size_t count) {
  std::vector<size_t> order;
  for (size_t n = 0; n < task.size(); ++n) {
    if (!std::isnan(task.curve(n).back())) order.push_back(n);
  }
  count = std::min(count, order.size());
  const bool maximize = task.header().goal == Goal::kMaximize;
  std::partial_sort(order.begin(), order.begin() + static_cast<ptrdiff_t>(count), order.end(),
                    [&](size_t a, size_t b) {
                      const float last_a = task.curve(a).back(), last_b = task.curve(b).back();
                      if (last_a != last_b) return maximize ? last_a > last_b : last_a < last_b;
                      return a < b;
                    });
  order.resize(count);
  return order;
}

std::string legend_text(const Task& task, size_t n) {
  return fmt::format("{:.4g}: {}", task.curve(n).back(),
                     configuration_text(task.space(), task.configuration(n)));
}

// The last finite point of every curve that diverges.
std::vector<chart::Point> divergence_points(const Task& task) {
  std::vector<chart::Point> points;
  for (size_t n = 0; n < task.size(); ++n) {
    const chart::Polyline line = line_of(task, n);
    const auto first_bad = std::find_if(line.begin(), line.end(),
                                        [](const chart::Point& p) { return std::isnan(p.y); });
    if (first_bad != line.end() && first_bad != line.begin()) points.push_back(*(first_bad - 1));
  }
  return points;
}

std::string subtitle(const Task& task, const chart::Axis& axis, size_t diverged) {
  size_t leaving = 0;
  for (size_t n = 0; n < task.size(); ++n) leaving += leaves_picture(task.curve(n), axis) ? 1 : 0;
  std::string text = fmt::format("{} curves", count_text(task.size()));
  if (diverged > 0) text += fmt::format(", {} diverge", count_text(diverged));
  if (leaving > 0) text += fmt::format(", {} leave the picture", count_text(leaving));
  if (task.header().notes.contains("source") && task.header().notes["source"].is_string()) {
    text += fmt::format(" · {}", task.header().notes["source"].get<std::string>());
  }
  return text;
}

}  // namespace

chart::Axis value_axis(const Task& task) {
  const curves::TaskHeader& header = task.header();
  chart::Axis axis{.label = fmt::format("{} ({})", header.metric, curves::goal_name(header.goal))};
  cut_outliers(task, axis);
  return axis;
}

std::string curves_svg(const Task& task, size_t highlighted) {
  const curves::TaskHeader& header = task.header();
  chart::Axis x{.label = header.fidelity};
  const chart::Axis y = value_axis(task);
  chart::Panel panel("", x, y);

  std::vector<chart::Polyline> all;
  for (size_t n = 0; n < task.size(); ++n) all.push_back(line_of(task, n));
  const double opacity = std::clamp(40.0 / static_cast<double>(task.size()), 0.08, 0.6);
  panel.add_lines(std::move(all), {.color = chart::kQuietColor, .width = 0.7, .opacity = opacity});

  std::vector<chart::Point> diverging = divergence_points(task);
  const std::string text = subtitle(task, y, diverging.size());
  if (!diverging.empty()) {
    panel.add_points(std::move(diverging), {.color = kDivergedColor,
                                            .marker = chart::Marker::kCross,
                                            .radius = 2.5,
                                            .opacity = 0.6,
                                            .label = "diverges after"});
  }
  const std::vector<size_t> best = best_curves(task, highlighted);
  for (size_t i = 0; i < best.size(); ++i) {
    panel.add_line(line_of(task, best[i]), {.color = chart::palette(i),
                                            .width = i == 0 ? 2.5 : 1.5,
                                            .label = legend_text(task, best[i])});
  }
  // Once more, so that the best is first in the legend and yet on top.
  if (!best.empty()) panel.add_line(line_of(task, best[0]), {.width = 2.5});
  chart::Figure figure(header.name, text);
  figure.add_panel(std::move(panel));
  return figure.to_svg();
}

}  // namespace cmbo::cli
