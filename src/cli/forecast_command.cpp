// SPDX-License-Identifier: Apache-2.0
//
// cmbo forecast
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <memory>
#include <numeric>

#include "chart/figure.h"
#include "cli/command.h"
#include "cli/curve_files.h"
#include "cli/model_file.h"
#include "cli/study_directory.h"
#include "cli/study_export.h"
#include "cli/study_policy.h"
#include "cli/text.h"
#include "curves/normalization.h"
#include "forecast/forecaster.h"

namespace cmbo::cli {

namespace {

using forecast::Forecast;

const std::vector<float> kLevels = {0.05F, 0.25F, 0.5F, 0.75F, 0.95F};
constexpr size_t kMedian = 2;
constexpr size_t kMostPanels = 6;

struct ForecastOptions {
  std::string study;  // or a history
  InputOptions input;
  std::string model;   // file; empty = the study's own
  std::string plot;    // SVG file; empty = none
  size_t threads = 0;  // 0 = all cores
  bool json = false;
};

// A task's forecast in the user's own units.
class View {
 public:
  View(const curves::Task& task, const curves::Normalization& normalization, Forecast forecast)
      : task_(task), normalization_(normalization), forecast_(std::move(forecast)) {}

  const curves::Task& task() const { return task_; }
  size_t size() const { return task_.size(); }
  size_t horizon() const { return forecast_.horizon; }
  size_t observed(size_t n) const { return forecast_.lengths[n]; }

  // The quantile of kLevels[level]; a metric that is minimized turns the order around.
  double quantile(size_t n, size_t epoch, size_t level) const {
    const bool minimize = normalization_.goal() == curves::Goal::kMinimize;
    const size_t at = minimize ? kLevels.size() - 1 - level : level;
    return normalization_.invert(static_cast<double>(forecast_.at(n, epoch)[at]));
  }

  // Observed configurations, those with the best expected end first, then the others alike.
  std::vector<size_t> ranked() const {
    std::vector<size_t> order(size());
    std::iota(order.begin(), order.end(), size_t{0});
    const auto end = [&](size_t n) {
      return observed(n) == horizon() ? -1.0F : forecast_.at(n, horizon())[kMedian];
    };
    std::stable_sort(order.begin(), order.end(),
                     [&](size_t a, size_t b) { return end(a) > end(b); });
    return order;
  }

 private:
  const curves::Task& task_;
  curves::Normalization normalization_;
  Forecast forecast_;
};

Json view_to_json(const View& view) {
  Json curves = Json::array();
  for (size_t n = 0; n < view.size(); ++n) {
    Json quantiles = Json::array();
    for (size_t epoch = view.observed(n) + 1; epoch <= view.horizon(); ++epoch) {
      Json row = Json::array();
      for (size_t level = 0; level < kLevels.size(); ++level) {
        const double value = view.quantile(n, epoch, level);
        row.push_back(std::isfinite(value) ? Json(value) : Json());
      }
      quantiles.push_back(std::move(row));
    }
    curves.push_back(
        {{"config", view.task().space().configuration_to_json(view.task().configuration(n))},
         {"observed", view.observed(n)},
         {"quantiles", std::move(quantiles)}});
  }
  return {{"task", view.task().name()},
          {"metric", view.task().header().metric},
          {"last_epoch", view.horizon()},
          {"curves", std::move(curves)}};
}

std::string view_to_text(const View& view, size_t width) {
  const curves::TaskHeader& header = view.task().header();
  TextTable table({"configuration", "seen", "last value", "5 %", "median", "95 %"});
  for (const size_t n : view.ranked()) {
    const auto curve = view.task().trained(n);
    const bool complete = view.observed(n) == view.horizon();
    const auto cell = [&](size_t level) {
      return complete ? std::string("–") : number_text(view.quantile(n, view.horizon(), level));
    };
    table.add({configuration_text(view.task().space(), view.task().configuration(n)),
               fmt::format("{}/{}", view.observed(n), view.horizon()),
               curve.empty() ? "–" : number_text(static_cast<double>(curve.back())), cell(0),
               cell(kMedian), cell(kLevels.size() - 1)});
  }
  return fmt::format("{}: {} at {} {}, the best first\n\n", header.name, header.metric,
                     header.fidelity, header.last_epoch) +
         table.render(width) + "\n";
}

chart::Panel panel_of(const View& view, size_t n) {
  const curves::TaskHeader& header = view.task().header();
  chart::Panel panel(configuration_text(view.task().space(), view.task().configuration(n)),
                     {header.fidelity}, {header.metric});
  std::vector<double> epochs;
  std::vector<std::vector<double>> quantiles(kLevels.size());
  chart::Polyline median;
  for (size_t epoch = view.observed(n) + 1; epoch <= view.horizon(); ++epoch) {
    epochs.push_back(static_cast<double>(epoch));
    for (size_t level = 0; level < kLevels.size(); ++level) {
      quantiles[level].push_back(view.quantile(n, epoch, level));
    }
    median.push_back({epochs.back(), quantiles[kMedian].back()});
  }
  panel.add_band(epochs, quantiles[0], quantiles[4], {.opacity = 0.15, .label = "90 %"});
  panel.add_band(epochs, quantiles[1], quantiles[3], {.opacity = 0.25, .label = "50 %"});
  panel.add_line(std::move(median), {.label = "median"});
  chart::Polyline seen;
  const auto curve = view.task().curve(n);
  for (size_t i = 0; i < curve.size(); ++i) {
    seen.push_back({static_cast<double>(header.first_epoch) + static_cast<double>(i),
                    static_cast<double>(curve[i])});
  }
  panel.add_line(std::move(seen), {.color = "#222222", .label = "observed"});
  return panel;
}

std::string view_to_svg(const View& view) {
  chart::Figure figure("Forecast: " + view.task().name(),
                       fmt::format("{} of {} configurations, the best expected first",
                                   std::min(kMostPanels, view.size()), view.size()));
  size_t panels = 0;
  for (const size_t n : view.ranked()) {
    if (view.observed(n) == view.horizon() || panels == kMostPanels)
      break;  // complete ones are last
    figure.add_panel(panel_of(view, n));
    ++panels;
  }
  return figure.to_svg();
}

// A model and what it is asked about.
struct ForecastQuestion {
  std::shared_ptr<const network::Model> model;
  curves::CurveSet set;
};

Result<ForecastQuestion> question_of(const ForecastOptions& options, Context& context) {
  ForecastQuestion question;
  if (!options.model.empty()) {
    CMBO_TRY(network::Model model, read_model(options.model, context));
    question.model = std::make_shared<const network::Model>(std::move(model));
  }
  if (options.study.empty()) {
    CMBO_TRY(question.set, read_input(options.input, context));
    return question;
  }
  CMBO_TRY(const Visit visit, visit_study(options.study, context));
  CMBO_TRY(curves::Task task,
           study_to_task({visit.file, visit.facts}, visit.paths.file.stem().string()));
  CMBO_RETURN_IF_ERROR(question.set.add(std::move(task)));
  if (question.model == nullptr) {
    CMBO_TRY(question.model, model_of_study(visit.file, visit.paths, context));
  }
  return question;
}

Outcome run_forecast(const ForecastOptions& options, Context& context) {
  if (options.study.empty() && (options.input.path.empty() || options.model.empty())) {
    context.terminal.complain("name a study, or give --history and --model");
    return kUsage;
  }
  CMBO_TRY(const ForecastQuestion question, question_of(options, context));
  const auto& [model_pointer, set] = question;
  const network::Model& model = *model_pointer;
  if (!options.plot.empty() && set.tasks.size() != 1) {
    return Error(fmt::format("a picture shows one task; choose it with --tasks, one of:{}",
                             known_tasks(set)));
  }
  ThreadPool pool(options.threads);
  Json tasks = Json::array();
  for (const curves::Task& task : set.tasks) {
    CMBO_TRY(const curves::Normalization normalization, curves::normalization_of(task));
    const curves::CurveTable table = curves::to_table(task, normalization);
    CMBO_RETURN_IF_ERROR(check_fits(model, task.name(), table));
    std::vector<uint32_t> asked(task.size());
    std::iota(asked.begin(), asked.end(), 0U);
    const View view(task, normalization, forecast::forecast(model, table, asked, kLevels, pool));
    if (options.json) tasks.push_back(view_to_json(view));
    if (!options.json) context.terminal.print(view_to_text(view, context.terminal.out_width()));
    if (options.plot.empty()) continue;
    CMBO_RETURN_IF_ERROR(context.files.write_atomically(options.plot, view_to_svg(view)));
  }
  if (options.json) {
    context.terminal.print(Json{{"levels", kLevels}, {"tasks", tasks}}.dump(2) + "\n");
  }
  return kOk;
}

}  // namespace

void add_forecast_command(CLI::App& app, Action& chosen) {
  add_command<ForecastOptions>(
      app, chosen, "forecast", "extrapolate partial learning curves", run_forecast,
      [](CLI::App& command, ForecastOptions& options) {
        command.add_option("study", options.study,
                           "a study's file or directory: what is expected of its trials");
        command.add_option("--model", options.model, "model file; a study has its own");
        options.input.add_to(command, "--history");
        command.get_option("--history")->excludes("study");
        command.add_option("--plot", options.plot, "SVG file to draw the best six to");
        command.add_option("--threads", options.threads, "0 = all cores; the result is the same")
            ->capture_default_str();
        command.add_flag("--json", options.json, "print all quantiles as JSON");
      });
}

}  // namespace cmbo::cli
