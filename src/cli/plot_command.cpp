// SPDX-License-Identifier: Apache-2.0
//
// cmbo plot
#include <fmt/format.h>

#include "cli/command.h"
#include "cli/study_directory.h"
#include "cli/study_plot.h"
#include "cli/study_policy.h"

namespace cmbo::cli {

namespace {

struct PlotOptions {
  std::string study;
  std::string what = "all";
  std::string out;  // directory; empty = the study's summary
  size_t best = 3;  // curves in colour
  bool no_forecast = false;
  bool json = false;
};

// The best trials, and the futures of those that have one.
struct Highlights {
  std::vector<uint32_t> best = {};
  std::vector<TrialForecast> futures = {};
};

Result<Highlights> highlights_of(const Visit& visit, const PlotOptions& options, Context& context) {
  const StudyView view{visit.file, visit.facts};
  Highlights highlights;
  std::vector<uint32_t> alive;
  for (const TrialView& trial : ranked_trials(view, false)) {
    if (highlights.best.size() == options.best || !trial.best) break;
    highlights.best.push_back(trial.number);
    if (has_future(view, trial.number)) alive.push_back(trial.number);
  }
  if (options.no_forecast || alive.empty()) return highlights;
  CMBO_TRY(const auto model, model_of_study(visit.file, visit.paths, context));
  ThreadPool pool(0);
  CMBO_TRY(highlights.futures, forecast_trials(view, alive, *model, pool));
  return highlights;
}

Outcome run_plot(const PlotOptions& options, Context& context) {
  CMBO_TRY(const Visit visit, visit_study(options.study, context));
  const StudyView view{visit.file, visit.facts};
  const std::string name = visit.paths.file.stem().string();
  const Path directory =
      options.out.empty() ? visit.paths.trials_csv().parent_path() : Path(options.out);
  std::vector<std::pair<Path, std::string>> pictures;
  if (options.what != "utility") {
    CMBO_TRY(const Highlights highlights, highlights_of(visit, options, context));
    CMBO_TRY(std::string svg, study_curves_svg(view, name, highlights.best, highlights.futures));
    pictures.emplace_back(directory / "curves.svg", std::move(svg));
  }
  if (options.what != "curves") {
    CMBO_TRY(std::string svg, study_utility_svg(view, name));
    pictures.emplace_back(directory / "utility.svg", std::move(svg));
  }
  CMBO_RETURN_IF_ERROR(context.files.create_directories(directory));
  Json written = Json::array();
  for (const auto& [path, svg] : pictures) {
    CMBO_RETURN_IF_ERROR(context.files.write_atomically(path, svg));
    written.push_back(path.string());
    if (!options.json) context.terminal.print(path.string() + "\n");
  }
  if (options.json) context.terminal.print(Json{{"pictures", written}}.dump(2) + "\n");
  return kOk;
}

}  // namespace

void add_plot_command(CLI::App& app, Action& chosen) {
  add_command<PlotOptions>(
      app, chosen, "plot", "pictures of a study: curves with forecasts, utility over cost",
      run_plot, [](CLI::App& command, PlotOptions& options) {
        command.add_option("study", options.study, kStudyHelp)->required();
        command.add_option("--what", options.what, "curves, utility or both")
            ->check(CLI::IsMember({"all", "curves", "utility"}))
            ->capture_default_str();
        command.add_option("--out", options.out,
                           "directory for curves.svg and utility.svg; the study's summary if not "
                           "given");
        command.add_option("--best", options.best, "so many curves in colour")
            ->check(CLI::Range(0, 8))
            ->capture_default_str();
        command.add_flag("--no-forecast", options.no_forecast, "do not load the model");
        command.add_flag("--json", options.json, "print as JSON");
      });
}

}  // namespace cmbo::cli
