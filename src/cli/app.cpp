// SPDX-License-Identifier: Apache-2.0
#include "cli/app.h"

#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <sstream>

#include "cli/version.h"

namespace cmbo::cli {

namespace {

// --help and --version end parsing by an "error" of exit code 0, with the text for stdout.
int end_of_parsing(const CLI::App& app, const CLI::ParseError& end, Terminal& terminal) {
  std::ostringstream out, err;
  if (app.exit(end, out, err) == 0) {
    terminal.print(out.str());
    return kOk;
  }
  terminal.complain(end.what());
  terminal.complain("see 'cmbo --help', or --help after a command");
  return kUsage;
}

}  // namespace

int run(int argc, const char* const* argv, Context& context) {
  CLI::App app("cmbo: hyperparameter tuning that knows when to stop", "cmbo");
  app.set_version_flag("--version", std::string("cmbo ") + kVersion);
  app.require_subcommand(1);
  app.get_formatter()->column_width(34);
  Action chosen;
  add_init_command(app, chosen);
  add_check_command(app, chosen);
  add_tune_command(app, chosen);
  add_finish_command(app, chosen);
  add_curves_commands(app, chosen);
  add_train_commands(app, chosen);
  add_evaluate_command(app, chosen);
  add_forecast_command(app, chosen);
  add_decide_command(app, chosen);
  add_replay_commands(app, chosen);
  add_status_command(app, chosen);
  add_trials_commands(app, chosen);
  add_steer_commands(app, chosen);
  add_enqueue_command(app, chosen);
  add_export_command(app, chosen);
  add_plot_command(app, chosen);
  add_gc_command(app, chosen);
  add_utility_commands(app, chosen);
  add_bench_commands(app, chosen);

  int code = kOk;
  try {
    app.parse(argc, argv);
    const Outcome outcome = chosen(context);
    if (!outcome.ok()) context.terminal.complain(outcome.error().message());
    code = outcome.ok() ? *outcome : kFailed;
  } catch (const CLI::ParseError& end) {
    code = end_of_parsing(app, end, context.terminal);
  }
  context.terminal.finish();
  if (code == kOk && context.terminal.out_is_broken()) {
    context.terminal.complain("standard output cannot be written; is the disk full?");
    code = kFailed;
  }
  return code;
}

}  // namespace cmbo::cli
