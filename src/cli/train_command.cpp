// SPDX-License-Identifier: Apache-2.0
//
// cmbo train, cmbo train plot
#include <cmath>
#include <fmt/format.h>
#include <sstream>

#include "chart/figure.h"
#include "cli/training_run.h"

namespace cmbo::cli {

namespace {

struct TrainPlotOptions {
  std::string log;  // CSV file of a run
  std::string out;  // SVG file
};

double number_or_gap(const std::string& cell) {
  return cell.empty() ? std::nan("") : std::strtod(cell.c_str(), nullptr);
}

Outcome plot_log(const TrainPlotOptions& options, Context& context) {
  CMBO_TRY(const std::string text, read_file(context.files, options.log, uint64_t{1} << 30));
  std::istringstream lines(text);
  std::string line;
  std::getline(lines, line);
  if (line != "step,seconds,learning_rate,loss,held_out") {
    return Error(options.log +
                 ":1: not the log of a training run; name the .csv file beside the "
                 "model");
  }
  chart::Polyline loss, held_out;
  while (std::getline(lines, line)) {
    std::istringstream cells(line);
    std::string step, seconds, rate, train, judged;
    std::getline(cells, step, ',');
    std::getline(cells, seconds, ',');
    std::getline(cells, rate, ',');
    std::getline(cells, train, ',');
    std::getline(cells, judged, ',');
    loss.push_back({number_or_gap(step), number_or_gap(train)});
    if (!judged.empty()) held_out.push_back({number_or_gap(step), number_or_gap(judged)});
  }
  chart::Panel panel("", {"step"}, {"loss (negative log density)"});
  panel.add_line(std::move(loss), {.color = chart::kQuietColor, .label = "training examples"});
  if (!held_out.empty()) {
    panel.add_line(std::move(held_out), {.label = "held-out tasks, averaged weights"});
  }
  chart::Figure figure("Training", options.log);
  figure.add_panel(std::move(panel));
  CMBO_RETURN_IF_ERROR(context.files.write_atomically(options.out, figure.to_svg()));
  context.terminal.print(options.out + "\n");
  return kOk;
}

void declare_train(CLI::App& command, TrainOptions& o) {
  o.input.add_to(command, "--data");
  command
      .add_option("--split", o.split, "train on the paper's training tasks, judge on the others")
      ->check(CLI::IsMember({"lcbench", "taskset", "pd1"}));
  command.add_option("--holdout", o.holdout, "tasks to judge on and not to train on")
      ->delimiter(',');
  command
      .add_option("--keep", o.keep,
                  "weights of the lowest held-out loss, or the last (if held-out tasks are to "
                  "judge the model later)")
      ->check(CLI::IsMember({"best", "last"}))
      ->capture_default_str();
  command
      .add_option("--prior", o.training.prior_share, "share of examples from the synthetic prior")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
  command.add_option("--network", o.kind, "curve (ours) or point (the paper's)")
      ->check(CLI::IsMember({"curve", "point"}))
      ->capture_default_str();
  command.add_option("--width", o.network.width, "of a token")->capture_default_str();
  command.add_option("--layers", o.network.layers, "transformer blocks")->capture_default_str();
  command.add_option("--heads", o.network.heads, "of attention")->capture_default_str();
  command.add_option("--head-width", o.network.head_width, "of the output head")
      ->capture_default_str();
  command.add_option("--bars", o.network.bars, "of the output distribution")->capture_default_str();
  command.add_option("--dropout", o.network.dropout, "in training")->capture_default_str();
  command.add_flag("--pre-norm", o.network.pre_norm,
                   "layer norm before each step instead of after it");
  command.add_flag("!--no-copy", o.network.copy, "no component around the last value");
  command.add_flag("--hints", o.network.hints,
                   "tell the network what earlier tasks say of a configuration that they know");
  CLI::Option* const from =
      command.add_option("--from", o.from,
                         "model file to start from instead of random weights; the network is as "
                         "large as that, so its options are not for this");
  for (const char* shape : {"--network", "--width", "--layers", "--heads", "--head-width", "--bars",
                            "--dropout", "--pre-norm", "--no-copy", "--hints"}) {
    from->excludes(shape);
  }
  command.add_option("--steps", o.steps, "length of the run in steps");
  command.add_option("--minutes", o.minutes, "length of the run in minutes");
  command.add_option("--batch", o.training.batch, "examples of a step")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
  command.add_option("--lr", o.training.learning_rate, "learning rate at its peak")
      ->capture_default_str();
  command.add_option("--weight-decay", o.training.optimizer.weight_decay, "of every step")
      ->capture_default_str();
  command.add_flag("!--no-muon", o.training.optimizer.muon,
                   "AdamW for all weights, instead of Muon for the matrices of the blocks");
  command
      .add_option("--warped", o.training.warped_share,
                  "share of recorded tables whose values, time and noise are stretched")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
  command
      .add_option("--elite", o.training.mixup.elite_share,
                  "share of configurations that are drawn because another task likes them")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
  command
      .add_option("--blended", o.training.blended_share,
                  "share of recorded tables that are blended with synthetic curves")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
  command
      .add_option("--unmixed", o.training.mixup.unmixed_share,
                  "share of configurations that are not mixed")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
  command
      .add_option("--beyond", o.training.mixup.beyond,
                  "how far the weights of two mixed tasks reach beyond 0 and 1")
      ->check(CLI::Range(0.0, 10.0))
      ->capture_default_str();
  command.add_flag("!--no-task-mixup", o.training.mixup.across_tasks, "do not mix tasks");
  command.add_flag("!--no-config-mixup", o.training.mixup.across_configurations,
                   "do not mix configurations");
  command
      .add_option("--single-curve", o.training.single_curve_share,
                  "share of examples without the help of other configurations")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
  command.add_option("--seed", o.training.seed, "of everything that is drawn")
      ->capture_default_str();
  command.add_option("--threads", o.threads, "0 = all cores; the result is the same")
      ->capture_default_str();
  command.add_option("--out", o.out, "model file; log and checkpoint are written beside it");
}

}  // namespace

void add_train_commands(CLI::App& app, Action& chosen) {
  auto options = std::make_shared<TrainOptions>();
  CLI::App& command = *app.add_subcommand("train", "train a curve model; resumes when interrupted");
  declare_train(command, *options);
  add_command<TrainPlotOptions>(
      command, chosen, "plot", "draw the log of a run as SVG", plot_log,
      [](CLI::App& plot, TrainPlotOptions& o) {
        plot.add_option("log", o.log, "the .csv beside the model")->required();
        plot.add_option("--out", o.out, "SVG file to write")->required();
      });
  command.callback([options, &command, &chosen] {
    if (!command.get_subcommands().empty()) return;
    if (options->out.empty()) throw CLI::RequiredError("--out");
    chosen = [options](Context& context) { return train(*options, context); };
  });
}

}  // namespace cmbo::cli
