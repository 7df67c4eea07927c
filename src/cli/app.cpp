// SPDX-License-Identifier: Apache-2.0
#include "cli/app.h"

#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <fmt/format.h>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "base/suggestion.h"
#include "cli/version.h"

namespace cmbo::cli {

namespace {

using Arguments = std::span<const char* const>;

std::vector<const CLI::App*> commands_of(const CLI::App& group) {
  return group.get_subcommands([](const CLI::App*) { return true; });
}

const CLI::App* find_command(const CLI::App& group, std::string_view name) {
  for (const CLI::App* command : commands_of(group)) {
    if (command->get_name() == name) return command;
  }
  return nullptr;
}

// Where a command is missing or unknown: the help of its group, or what else may have been meant.
// False if something else is wrong.
bool complain_about_command(const CLI::App& app, Arguments arguments, Terminal& terminal) {
  const CLI::App* reached = &app;
  std::string parents;
  for (; !arguments.empty(); arguments = arguments.subspan(1)) {
    const CLI::App* const next = find_command(*reached, arguments.front());
    if (next == nullptr) break;
    parents += (parents.empty() ? "" : " ") + reached->get_name();
    reached = next;
  }
  if (reached->get_require_subcommand_min() == 0) return false;
  if (arguments.empty()) {
    terminal.print(reached->help(parents));
    return true;
  }
  const std::string_view wrong = arguments.front();
  const std::string path = (parents.empty() ? "" : parents + ' ') + reached->get_name();
  std::vector<std::string> names;
  for (const CLI::App* command : commands_of(*reached)) names.push_back(command->get_name());
  terminal.complain(fmt::format("there is no {} '{}'{}; see '{} --help'",
                                wrong.starts_with('-') ? "option" : "command", wrong,
                                suggestion({names.begin(), names.end()}, wrong), path));
  return true;
}

// --help and --version end parsing by an "error" of exit code 0, with the text for stdout.
int end_of_parsing(const CLI::App& app, const CLI::ParseError& end, Arguments arguments,
                   Terminal& terminal) {
  std::ostringstream out, err;
  if (app.exit(end, out, err) == 0) {
    terminal.print(out.str());
    return kOk;
  }
  if (complain_about_command(app, arguments, terminal)) return kUsage;
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
    code = end_of_parsing(app, end, Arguments(argv, static_cast<size_t>(argc)).subspan(1),
                          context.terminal);
  }
  context.terminal.finish();
  if (code == kOk && context.terminal.out_is_broken()) {
    context.terminal.complain("standard output cannot be written; is the disk full?");
    code = kFailed;
  }
  return code;
}

}  // namespace cmbo::cli
