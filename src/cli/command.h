// SPDX-License-Identifier: Apache-2.0
//
// What the commands share: the world they run in and how they end.
#pragma once

#include <CLI/App.hpp>
#include <functional>
#include <memory>
#include <string>

#include "base/clock.h"
#include "base/file_system.h"
#include "base/json.h"
#include "base/result.h"
#include "cli/terminal.h"

namespace cmbo::cli {

enum ExitCode : int {
  kOk = 0,
  kFailed = 1,       // the command was understood, but could not be done
  kUsage = 2,        // the command line is wrong
  kNothingToDo = 3,  // stopped already, or nothing left to do
  kTryAgain = 75,    // somebody else is at it; the same command may succeed later
};

// The outside world of a command. The references outlive it.
struct Context {
  FileSystem& files;
  const Clock& clock;
  Terminal& terminal;
};

// What a command's work is, and how it ended: an error is a complaint and kFailed.
using Outcome = Result<ExitCode>;
using Action = std::function<Outcome(Context&)>;

// Adds the command `name` to `parent`: `declare` its options, and `work` is what it does.
template <typename Options>
void add_command(CLI::App& parent, Action& chosen, const char* name, const char* help,
                 Outcome (*work)(const Options&, Context&),
                 const std::function<void(CLI::App&, Options&)>& declare) {
  auto options = std::make_shared<Options>();
  CLI::App* command = parent.add_subcommand(name, help);
  declare(*command, *options);
  command->callback([options, work, &chosen] {
    chosen = [options, work](Context& context) { return work(*options, context); };
  });
}

// Each adds a command with its options to `app`; parsing it sets `chosen`.
void add_curves_commands(CLI::App& app, Action& chosen);
void add_train_commands(CLI::App& app, Action& chosen);
void add_evaluate_command(CLI::App& app, Action& chosen);
void add_forecast_command(CLI::App& app, Action& chosen);
void add_decide_command(CLI::App& app, Action& chosen);
void add_replay_commands(CLI::App& app, Action& chosen);
void add_status_command(CLI::App& app, Action& chosen);
void add_trials_commands(CLI::App& app, Action& chosen);
void add_steer_commands(CLI::App& app, Action& chosen);
void add_enqueue_command(CLI::App& app, Action& chosen);
void add_export_command(CLI::App& app, Action& chosen);
void add_plot_command(CLI::App& app, Action& chosen);
void add_gc_command(CLI::App& app, Action& chosen);
void add_utility_commands(CLI::App& app, Action& chosen);
void add_bench_commands(CLI::App& app, Action& chosen);
void add_bench_study_command(CLI::App& bench, Action& chosen);
void add_init_command(CLI::App& app, Action& chosen);
void add_check_command(CLI::App& app, Action& chosen);
void add_tune_command(CLI::App& app, Action& chosen);
void add_finish_command(CLI::App& app, Action& chosen);

}  // namespace cmbo::cli
