// SPDX-License-Identifier: Apache-2.0
//
// cmbo replay, cmbo replay plot, cmbo replay stops
#include <algorithm>
#include <fmt/format.h>

#include "cli/replay_plan.h"
#include "cli/replay_report.h"
#include "cli/replay_run.h"
#include "cli/text.h"
#include "replay/aggregation.h"
#include "replay/extrapolation_figure.h"
#include "replay/figures.h"
#include "replay/stop_sweep.h"
#include "replay/trajectories.h"

namespace cmbo::cli {

namespace {

constexpr const char* kLogName = "runs.jsonl";
constexpr const char* kAllMethods = "all";
constexpr const char* kTrajectoriesName = "trajectories.csv";

struct ReplayPlotOptions {
  std::string runs;  // directory of a replay
  std::string out;   // directory
};

Outcome plot_runs(const ReplayPlotOptions& options, Context& context) {
  CMBO_TRY(const auto runs, replay::read_runs(context.files, Path(options.runs) / kLogName));
  auto pictures = replay::draw_figures(runs);
  if (!pictures.ok()) return pictures.error().within(options.runs);
  CMBO_RETURN_IF_ERROR(context.files.create_directories(options.out));
  for (const replay::Picture& picture : *pictures) {
    CMBO_RETURN_IF_ERROR(
        context.files.write_atomically(Path(options.out) / picture.file, picture.svg));
  }
  context.terminal.print(fmt::format("{}: {}\n", options.out, plural(pictures->size(), "picture")));
  return kOk;
}

struct ExtrapolationOptions {
  ReplayOptions replay;  // data and models
  std::string runs;      // directory of a replay
  std::string out;       // directory
};

// For every task the first run of cmbo.
Outcome plot_extrapolations(const ExtrapolationOptions& options, Context& context) {
  ReplayOptions replay = options.replay;
  replay.methods = {"cmbo"};
  CMBO_TRY(const ReplayPlan plan, plan_replay(replay, context));
  CMBO_TRY(const auto runs, replay::read_runs(context.files, Path(options.runs) / kLogName));
  CMBO_RETURN_IF_ERROR(context.files.create_directories(options.out));
  ThreadPool pool(replay.threads);
  size_t pictures = 0;
  for (const auto& task : plan.tasks) {
    const auto run = std::find_if(runs.begin(), runs.end(), [&](const replay::RunRecord& record) {
      return record.key.task == task->name && record.key.method == "cmbo" &&
             record.key.conditions.value("data", "") == task->hash;
    });
    if (run == runs.end()) continue;
    const std::string svg = replay::extrapolation_svg(*run, *task->table, task->model->model, pool);
    const std::string name = replay::picture_file("extrapolation-" + task->name);
    CMBO_RETURN_IF_ERROR(context.files.write_atomically(Path(options.out) / name, svg));
    ++pictures;
  }
  if (pictures == 0)
    return Error(options.runs + ": no run of cmbo on these data; replay them first");
  context.terminal.print(fmt::format("{}: {}\n", options.out, plural(pictures, "picture")));
  return kOk;
}

struct StopsOptions {
  std::string runs;  // directory of a replay
  bool json = false;
};

Outcome show_stops(const StopsOptions& options, Context& context) {
  CMBO_TRY(const auto runs, replay::read_runs(context.files, Path(options.runs) / kLogName));
  const std::vector<replay::SweptStop> stops = replay::sweep_stops(runs);
  if (stops.empty()) {
    return Error(options.runs + ": no run of cmbo that went on to its budget; replay --no-stop");
  }
  context.terminal.print(options.json ? stops_to_json(stops).dump(2) + "\n"
                                      : stops_table(stops, context.terminal.out_width()));
  return kOk;
}

// Of this command only, though the log may hold more.
std::vector<const replay::RunRecord*> finished_runs(const ReplayPlan& plan,
                                                    const replay::RunLog& log) {
  std::vector<const replay::RunRecord*> runs;
  for (const ReplayJob& job : plan.jobs) runs.push_back(log.find(job.key));
  return runs;
}

std::vector<std::string> method_names() {
  std::vector<std::string> names;
  for (const replay::Method& method : replay::methods()) names.emplace_back(method.name);
  return names;
}

Outcome replay_curves(const ReplayOptions& given, Context& context) {
  ReplayOptions options = given;
  const auto end = options.methods.end();
  if (std::find(options.methods.begin(), end, kAllMethods) != end) options.methods = method_names();
  options.stopping.by = options.rule == "paper" ? decide::StopBy::kRegret : decide::StopBy::kLook;
  CMBO_RETURN_IF_ERROR(decide::check(options.stopping));
  CMBO_TRY(const ReplayPlan plan, plan_replay(options, context));
  const Path out = options.out;
  CMBO_RETURN_IF_ERROR(context.files.create_directories(out));
  CMBO_TRY(replay::RunLog log, replay::RunLog::open(context.files, out / kLogName));
  CMBO_TRY(const bool finished, run_jobs(plan, options, log, context));
  if (!finished) {
    context.terminal.print(fmt::format("interrupted with {} in {}; the same command goes on\n",
                                       plural(log.size(), "run"), (out / kLogName).string()));
    return kTryAgain;
  }
  const auto runs = finished_runs(plan, log);
  CMBO_RETURN_IF_ERROR(
      context.files.write_atomically(out / kTrajectoriesName, replay::trajectories_csv(runs)));
  const std::vector<replay::MethodResult> results = replay::aggregate(runs);
  if (options.json) {
    context.terminal.print(replay_to_json(results).dump(2) + "\n");
    return kOk;
  }
  context.terminal.print(replay_tables(results, context.terminal.out_width()) +
                         fmt::format("steps in {}\n", (out / kTrajectoriesName).string()));
  return kOk;
}

void declare_ablations(CLI::App& command, ReplayOptions& o) {
  command.add_flag("!--no-stop", o.stopping.enabled,
                   "run to the budget; where the rule would have stopped is recorded");
  command.add_option("--beta", o.stopping.beta, "of the stopping rule")->capture_default_str();
  command
      .add_option("--rule", o.rule,
                  "when cmbo stops: when nothing is worth another look, or by the paper's rule")
      ->check(CLI::IsMember({"look", "paper"}))
      ->capture_default_str();
  command
      .add_option("--commitment", o.commitment,
                  "share of the best horizon that cmbo trains before it decides again")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
  command
      .add_option("--patience", o.patience,
                  "fresh configurations in a row before cmbo goes on with one; 0 = any number")
      ->check(CLI::Range(0, 1'000'000))
      ->capture_default_str();
  command
      .add_option("--depth", o.depth,
                  "cmbo sees to it that one is trained for so many times the root of all steps; "
                  "0 = for any number")
      ->check(CLI::Range(0.0, 1e6))
      ->capture_default_str();
  command.add_flag("!--no-hindsight", o.hindsight,
                   "take what forecasts promise for granted, whatever became of earlier promises");
  command.add_option("--samples", o.samples, "how cmbo's sampled curves hang together in time")
      ->check(CLI::IsMember({"comonotone", "copula", "independent"}))
      ->capture_default_str();
  command.add_option("--curves", o.curves, "that cmbo and ifbo sample for each configuration")
      ->check(CLI::Range(1, 10'000))
      ->capture_default_str();
  command
      .add_option("--acquisition", o.acquisition, "what cmbo ranks by: utility, or blind to cost")
      ->check(CLI::IsMember({"utility", "ei"}))
      ->capture_default_str();
}

void declare_replay(CLI::App& command, ReplayOptions& o) {
  o.input.add_to(command, "--data");
  std::vector<std::string> names = method_names();
  names.emplace_back(kAllMethods);
  command.add_option("--method", o.methods, "methods, separated by commas, or all")
      ->delimiter(',')
      ->check(CLI::IsMember(names))
      ->capture_default_str();
  command.add_flag("--quick", o.quick, "a first look: the first three tasks, one seed");
  command.add_option("--model", o.models, "model files; a task gets the first not trained on it")
      ->delimiter(',');
  command.add_option("--prior-model", o.prior_model, "ifbo: a model that knows no recorded task")
      ->capture_default_str();
  command.add_option("--train-tasks", o.train_tasks, "ranking: tasks to rank by")->delimiter(',');
  command.add_option("--split", o.split, "ranking: rank by the training tasks of this split")
      ->check(CLI::IsMember({"lcbench", "taskset", "pd1"}))
      ->excludes("--train-tasks");
  command.add_option("--alpha", o.alphas, "price of a step in U = y - alpha b")
      ->delimiter(',')
      ->capture_default_str();
  command.add_option("--budget", o.budget, "steps of a run at most")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str();
  command.add_option("--seeds", o.seeds, "runs of a method that draws; others run once")
      ->check(CLI::Range(1, 10'000))
      ->capture_default_str();
  declare_ablations(command, o);
  command.add_option("--threads", o.threads, "runs side by side; 0 = all cores")
      ->capture_default_str();
  command.add_option("--out", o.out, "directory of the runs; a replay goes on where it was")
      ->capture_default_str();
  command.add_flag("--json", o.json, "print as JSON");
}

}  // namespace

void add_replay_commands(CLI::App& app, Action& chosen) {
  auto options = std::make_shared<ReplayOptions>();
  CLI::App& command =
      *app.add_subcommand("replay", "compare methods on recorded curves; resumes when interrupted");
  declare_replay(command, *options);
  add_command<ReplayPlotOptions>(
      command, chosen, "plot", "draw the runs of a replay as SVG", plot_runs,
      [](CLI::App& plot, ReplayPlotOptions& o) {
        plot.add_option("--runs", o.runs, "the --out of a replay")->required();
        plot.add_option("--out", o.out, "directory to write")->required();
      });
  add_command<ExtrapolationOptions>(
      command, chosen, "extrapolations", "draw how forecasts grew with the history of each task",
      plot_extrapolations, [](CLI::App& plot, ExtrapolationOptions& o) {
        o.replay.input.add_to(plot, "--data");
        plot.get_option("--data")->required();
        plot.add_option("--model", o.replay.models, "the --model of the replay")
            ->delimiter(',')
            ->required();
        plot.add_option("--runs", o.runs, "the --out of a replay")->required();
        plot.add_option("--out", o.out, "directory to write")->required();
      });
  add_command<StopsOptions>(
      command, chosen, "stops", "what other stopping rules would have come to; after --no-stop",
      show_stops, [](CLI::App& stops, StopsOptions& o) {
        stops.add_option("--runs", o.runs, "the --out of a replay")->required();
        stops.add_flag("--json", o.json, "print as JSON");
      });
  command.callback([options, &command, &chosen] {
    if (!command.get_subcommands().empty()) return;
    if (options->input.path.empty()) throw CLI::RequiredError("--data");
    chosen = [options](Context& context) { return replay_curves(*options, context); };
  });
}

}  // namespace cmbo::cli
