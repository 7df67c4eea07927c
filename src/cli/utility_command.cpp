// SPDX-License-Identifier: Apache-2.0
//
// cmbo utility preview
#include <algorithm>
#include <fmt/format.h>

#include "cli/command.h"
#include "cli/foreseen_stops.h"
#include "cli/study_directory.h"
#include "cli/study_policy.h"
#include "cli/text.h"
#include "cli/utility_preview.h"
#include "curves/prior.h"
#include "curves/reader.h"
#include "study/metric_scale.h"

namespace cmbo::cli {

namespace {

constexpr uint64_t kPriorSeed = 1;
constexpr size_t kConfigurations = 64;  // of each task: enough to choose from, and quick

struct PreviewOptions {
  std::string study;
  std::string plot;                          // SVG file; empty = none
  std::string data;                          // curves; empty = the bundled ones
  size_t tasks = 5;                          // searches to replay; 0 = none
  std::optional<double> epoch_seconds = {};  // for costs in time or money
  bool json = false;
};

// The study file as it stands now, and what an earlier run of it has measured.
struct Previewed {
  StudyPaths paths;
  study::StudyFile file;
  study::Facts facts;
};

Result<Previewed> read_previewed(const PreviewOptions& options, Context& context) {
  Previewed previewed{.paths = study_paths(options.study, context.files), .file = {}, .facts = {}};
  CMBO_TRY(Definition definition, read_definition(previewed.paths, context.files));
  previewed.file = std::move(definition.file);
  auto visit = visit_study(options.study, context);
  if (visit.ok()) previewed.facts = std::move(visit->facts);
  return previewed;
}

// In the utility's unit; absent if nobody knows how long an epoch takes.
std::optional<double> epoch_cost(const PreviewOptions& options, const Previewed& previewed) {
  const study::Standing standing = study::standing_of(previewed.file, previewed.facts);
  std::optional<double> seconds = options.epoch_seconds;
  if (!seconds && standing.epochs > 0) {
    seconds = standing.train_seconds / static_cast<double>(standing.epochs);
  }
  if (!seconds && previewed.file.utility.unit != study::CostUnit::kEpochs) return std::nullopt;
  return previewed.file.utility.cost_of(1.0, seconds.value_or(1.0));
}

// In share/cmbo of an installation, or in the project that the program was built in.
std::optional<Path> bundled_curves(FileSystem& files) {
  std::error_code code;
  const Path program = std::filesystem::read_symlink("/proc/self/exe", code).parent_path();
  for (const char* place : {"../share/cmbo/minibench", "../../../data/minibench"}) {
    const Path path = (program / place).lexically_normal();
    if (files.is_directory(path)) return path;
  }
  return std::nullopt;
}

struct Curves {
  std::string name = {};
  std::vector<curves::CurveTable> tables = {};
};

Curves prior_curves(size_t tasks) {
  Curves result{.name = plural(tasks, "task") + " of the synthetic prior"};
  Random random(kPriorSeed);
  for (size_t i = 0; i < tasks; ++i) {
    result.tables.push_back(curves::sample_prior({.configurations = kConfigurations,
                                                  .min_dimensions = 4,
                                                  .max_dimensions = 8,
                                                  .horizons = {50},
                                                  .pad = false},
                                                 random));
  }
  return result;
}

// The same task with at most kConfigurations rows, spread evenly.
curves::CurveTable thinned(const curves::CurveTable& table) {
  curves::CurveTable thin;
  thin.dimensions = table.dimensions;
  thin.horizon = table.horizon;
  thin.initial = table.initial;
  const size_t count = std::min(kConfigurations, table.size());
  for (size_t i = 0; i < count; ++i) {
    const size_t n = i * table.size() / count;
    const curves::CurveTable::Row row = thin.add(table.lengths[n]);
    std::copy_n(table.configuration(n).begin(), table.dimensions, row.x.begin());
    std::copy_n(table.curve(n).begin(), table.lengths[n], row.y.begin());
  }
  return thin;
}

Result<Curves> recorded_curves(const Path& path, size_t tasks, Context& context) {
  CMBO_TRY(const curves::CurveSet set, curves::read_curves(context.files, path, {}));
  Curves result;
  const size_t count = std::min(tasks, set.tasks.size());
  for (size_t i = 0; i < count; ++i) {
    const curves::Task& task = set.tasks[i * set.tasks.size() / count];
    CMBO_TRY(const curves::Normalization normalization, curves::normalization_of(task));
    result.tables.push_back(thinned(curves::to_table(task, normalization)));
    const curves::CurveTable& table = result.tables.back();
    const bool complete = std::all_of(table.lengths.begin(), table.lengths.end(),
                                      [&](uint32_t length) { return length == table.horizon; });
    if (!complete) {
      return Error(
          fmt::format("{}: '{}' has curves that end early; only whole ones can be replayed",
                      path.string(), task.name()));
    }
  }
  result.name = fmt::format("{} of {}", plural(count, "task"), path.filename().string());
  return result;
}

Result<Curves> known_curves(const PreviewOptions& options, Context& context) {
  if (!options.data.empty()) return recorded_curves(options.data, options.tasks, context);
  const auto bundled = bundled_curves(context.files);
  if (!bundled) return prior_curves(options.tasks);
  return recorded_curves(*bundled, options.tasks, context);
}

Result<std::optional<ForeseenStops>> stops_of(const PreviewOptions& options,
                                              const Previewed& previewed,
                                              const curves::Normalization& normalization,
                                              Context& context) {
  const auto cost = epoch_cost(options, previewed);
  if (options.tasks == 0 || !cost) return std::optional<ForeseenStops>();
  CMBO_TRY(
      const study::PolicyFactory policies,
      policy_of_study(previewed.file, previewed.paths, std::make_shared<ThreadPool>(0), context));
  CMBO_TRY(const Curves known, known_curves(options, context));
  CMBO_TRY(ForeseenStops stops, foresee_stops({.file = previewed.file,
                                               .normalization = normalization,
                                               .epoch_cost = *cost,
                                               .policies = policies,
                                               .clock = context.clock},
                                              {known.name, known.tables}));
  return std::optional(std::move(stops));
}

Outcome run_preview(const PreviewOptions& options, Context& context) {
  CMBO_TRY(const Previewed previewed, read_previewed(options, context));
  const study::MetricScale scale = study::metric_scale(previewed.file.metric, previewed.facts);
  CMBO_TRY(UtilityPreview preview, preview_utility(previewed.file, scale.normalization));
  CMBO_TRY(preview.stops, stops_of(options, previewed, scale.normalization, context));
  if (!options.plot.empty()) {
    CMBO_TRY(const std::string svg, indifference_svg(previewed.file, scale.normalization));
    CMBO_RETURN_IF_ERROR(context.files.write_atomically(options.plot, svg));
  }
  if (options.json) {
    Json json = preview_to_json(preview, previewed.file);
    json["scale"] = scale.how;
    context.terminal.print(json.dump(2) + "\n");
    return kOk;
  }
  context.terminal.print(preview_to_text(preview, previewed.file, context.terminal.out_width()) +
                         fmt::format("({}.)\n", scale.how));
  if (options.tasks > 0 && !preview.stops) {
    context.terminal.print(
        "How long an epoch takes is not known yet; with --epoch-seconds you see when you would "
        "stop.\n");
  }
  return kOk;
}

}  // namespace

void add_utility_commands(CLI::App& app, Action& chosen) {
  CLI::App& utility = *app.add_subcommand("utility", "what performance is worth");
  utility.require_subcommand(1);
  add_command<PreviewOptions>(
      utility, chosen, "preview", "what a study's utility means, in plain words", run_preview,
      [](CLI::App& command, PreviewOptions& options) {
        command.add_option("study", options.study, kStudyHelp)->required();
        command.add_option("--plot", options.plot, "SVG file for lines of equal utility");
        command.add_option("--data", options.data,
                           "curves to see on when it would stop; the bundled ones if not given");
        command.add_option("--tasks", options.tasks, "so many of them; 0 = do not look")
            ->check(CLI::Range(0, 1000))
            ->capture_default_str();
        command
            .add_option("--epoch-seconds", options.epoch_seconds,
                        "how long an epoch takes, for costs in time or money")
            ->check(CLI::PositiveNumber);
        command.add_flag("--json", options.json, "print as JSON");
      });
}

}  // namespace cmbo::cli
