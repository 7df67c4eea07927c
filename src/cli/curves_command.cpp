// SPDX-License-Identifier: Apache-2.0
//
// cmbo curves import | describe | plot | sample
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "cli/command.h"
#include "cli/curve_files.h"
#include "cli/curves_plot.h"
#include "cli/text.h"
#include "curves/prior.h"
#include "curves/summary.h"
#include "training/example.h"

namespace cmbo::cli {

namespace {

using curves::CurveSet;
using curves::Task;

struct ImportOptions {
  InputOptions input;
  std::string out;         // directory
  bool overwrite = false;  // replace files that exist
  bool json = false;
};

Outcome import(const ImportOptions& options, Context& context) {
  CMBO_TRY(const CurveSet set, read_input(options.input, context));
  CMBO_RETURN_IF_ERROR(write_set(set, options.out, options.overwrite, context));
  report_written(set, options.out, options.json, context);
  return kOk;
}

// Where the curves come from, if all tasks say the same.
std::string common_source(const CurveSet& set) {
  const auto source = [](const Task& task) {
    const Json& notes = task.header().notes;
    const bool given = notes.contains("source") && notes["source"].is_string();
    return given ? notes["source"].get<std::string>() : std::string();
  };
  const std::string first = source(set.tasks[0]);
  const bool same = std::all_of(set.tasks.begin(), set.tasks.end(),
                                [&](const Task& task) { return source(task) == first; });
  return same ? first : std::string();
}

std::string headline(const CurveSet& set, const Path& path) {
  const Path clean = path.lexically_normal();
  const Path name = clean.has_filename() ? clean.filename() : clean.parent_path().filename();
  const std::string source = common_source(set);
  return fmt::format("{} · {} · {}{}{}", name.string(), plural(set.tasks.size(), "task"),
                     plural(count_curves(set), "curve"), source.empty() ? "" : " · ", source);
}

std::vector<std::string> summary_row(const Task& task, const curves::TaskSummary& summary) {
  const curves::TaskHeader& header = task.header();
  const size_t full = header.full_length();
  const auto last = [&](size_t length) {
    return header.first_epoch + static_cast<int>(length) - 1;
  };
  std::string epochs = fmt::format("{}–{}", header.first_epoch, header.last_epoch);
  if (summary.shortest < full) {
    epochs += fmt::format(" (from {})", last(summary.shortest));
  }
  const auto share = static_cast<double>(summary.diverged) / static_cast<double>(task.size());
  return {header.name,
          header.metric + (header.goal == curves::Goal::kMaximize ? " ↑" : " ↓"),
          count_text(summary.configurations),
          fmt::format("{}", summary.parameters),
          epochs,
          summary.diverged == 0 ? "–" : percent_text(share),
          number_text(summary.smallest),
          number_text(summary.largest),
          number_text(summary.initial),
          number_text(summary.best_final),
          number_text(summary.median_final)};
}

struct DescribeOptions {
  InputOptions input;
  bool json = false;
};

Outcome describe(const DescribeOptions& options, Context& context) {
  CMBO_TRY(const CurveSet set, read_input(options.input, context));
  if (options.json) {
    Json tasks = Json::array();
    for (const Task& task : set.tasks) {
      tasks.push_back(curves::summary_to_json(task, curves::summarize(task)));
    }
    context.terminal.print(Json{{"tasks", tasks}}.dump(2) + "\n");
    return kOk;
  }
  TextTable table({"task", "metric", "configs", "params", "epochs", "diverged", "smallest",
                   "largest", "initial", "best end", "median end"});
  for (const Task& task : set.tasks) table.add(summary_row(task, curves::summarize(task)));
  context.terminal.print(headline(set, options.input.path) + "\n\n" +
                         table.render(context.terminal.out_width()));
  return kOk;
}

struct CurvePlotOptions {
  InputOptions input;
  std::string out;  // SVG file
  size_t best = 5;  // highlighted curves
};

Outcome plot(const CurvePlotOptions& options, Context& context) {
  CMBO_TRY(const CurveSet set, read_input(options.input, context));
  if (set.tasks.size() != 1) {
    return Error(fmt::format("a picture shows one task; choose it with --tasks, one of:{}",
                             known_tasks(set)));
  }
  CMBO_RETURN_IF_ERROR(
      context.files.write_atomically(options.out, curves_svg(set.tasks[0], options.best)));
  context.terminal.print(options.out + "\n");
  return kOk;
}

struct SampleOptions {
  size_t tasks = 3;             // how many
  size_t configurations = 200;  // of each task
  size_t epochs = 50;           // of each curve
  size_t dimensions = 4;        // hyperparameters of each task
  size_t observations = 0;      // of each task, as in the middle of a search; 0 = complete curves
  uint64_t seed = 1;
  std::string out;  // directory
  bool overwrite = false;
  bool json = false;
};

// A table drawn from the prior as a task: parameters x1, x2, ... in [0,1], 0 = diverged.
Result<Task> task_of_table(const curves::CurveTable& table, std::string name, Json notes) {
  std::vector<space::Parameter> parameters(table.dimensions);
  for (size_t i = 0; i < parameters.size(); ++i) parameters[i].name = fmt::format("x{}", i + 1);
  curves::TaskHeader header;
  header.name = std::move(name);
  header.metric = "performance";
  header.first_epoch = 0;
  header.last_epoch = static_cast<int>(table.horizon);
  header.range = {0.0, 1.0};
  header.notes = std::move(notes);
  CMBO_TRY(header.space, space::Space::create(std::move(parameters)));
  CMBO_TRY(Task task, Task::create(std::move(header)));
  for (size_t n = 0; n < table.size(); ++n) {
    const std::span<const float> x = table.configuration(n);
    std::vector<float> curve = {table.initial};
    for (const float y : table.curve(n)) curve.push_back(y > 0 ? y : NAN);
    CMBO_RETURN_IF_ERROR(task.add(space::Configuration({x.begin(), x.end()}), curve));
  }
  return task;
}

Outcome sample(const SampleOptions& options, Context& context) {
  const curves::PriorOptions prior{.configurations = options.configurations,
                                   .min_dimensions = options.dimensions,
                                   .max_dimensions = options.dimensions,
                                   .horizons = {options.epochs},
                                   .pad = false};
  CurveSet set;
  for (size_t i = 1; i <= options.tasks; ++i) {
    Random random = Random(options.seed).fork(i);
    Json notes = {{"source", fmt::format("synthetic prior, seed {}", options.seed)}};
    curves::CurveTable table = curves::sample_prior(prior, random);
    if (options.observations > 0) {
      table.lengths = training::draw_state(table, options.observations, random);
    }
    CMBO_TRY(Task task, task_of_table(table, fmt::format("synthetic-{}", i), std::move(notes)));
    CMBO_RETURN_IF_ERROR(set.add(std::move(task)));
  }
  CMBO_RETURN_IF_ERROR(write_set(set, options.out, options.overwrite, context));
  report_written(set, options.out, options.json, context);
  return kOk;
}

}  // namespace

void add_curves_commands(CLI::App& app, Action& chosen) {
  CLI::App& curves = *app.add_subcommand("curves", "recorded learning curves: read, convert, look");
  curves.require_subcommand(1);
  add_command<ImportOptions>(
      curves, chosen, "import", "convert curves of any known format to JSON lines, a file per task",
      import, [](CLI::App& command, ImportOptions& options) {
        options.input.add_to(command);
        command.add_option("--out", options.out, "directory for the files")->required();
        command.add_flag("--overwrite", options.overwrite, "replace files that exist");
        command.add_flag("--json", options.json, "print what was written as JSON");
      });
  add_command<DescribeOptions>(curves, chosen, "describe",
                               "print size, range and best values of every task", describe,
                               [](CLI::App& command, DescribeOptions& options) {
                                 options.input.add_to(command);
                                 command.add_flag("--json", options.json, "print as JSON");
                               });
  add_command<CurvePlotOptions>(
      curves, chosen, "plot", "draw the curves of one task as SVG", plot,
      [](CLI::App& command, CurvePlotOptions& options) {
        options.input.add_to(command);
        command.add_option("--out", options.out, "SVG file to write")->required();
        command.add_option("--best", options.best, "how many of the best curves to highlight")
            ->check(CLI::Range(0, 8))
            ->capture_default_str();
      });
  add_command<SampleOptions>(
      curves, chosen, "sample", "draw tasks from the synthetic prior that models are trained on",
      sample, [](CLI::App& command, SampleOptions& options) {
        command.add_option("--tasks", options.tasks, "how many")
            ->check(CLI::Range(1, 10'000))
            ->capture_default_str();
        command.add_option("--configs", options.configurations, "configurations of each task")
            ->check(CLI::Range(2, 100'000))
            ->capture_default_str();
        command.add_option("--epochs", options.epochs, "epochs of each curve")
            ->check(CLI::Range(2, 10'000))
            ->capture_default_str();
        command.add_option("--dimensions", options.dimensions, "hyperparameters of each task")
            ->check(CLI::Range(1, 16))
            ->capture_default_str();
        command.add_option("--observations", options.observations,
                           "cut the curves to so many epochs in all, as in a search; 0 = whole");
        command.add_option("--seed", options.seed, "the same seed draws the same tasks")
            ->capture_default_str();
        command.add_option("--out", options.out, "directory for the files")->required();
        command.add_flag("--overwrite", options.overwrite, "replace files that exist");
        command.add_flag("--json", options.json, "print what was written as JSON");
      });
}

}  // namespace cmbo::cli
