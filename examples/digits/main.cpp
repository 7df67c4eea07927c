// SPDX-License-Identifier: Apache-2.0
//
// cmbo-digits: trains a small network to read handwritten digits. By itself it trains to the end;
// under cmbo it does the slice that the environment asks for (slice.h).
#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <cstdlib>
#include <fmt/format.h>
#include <iostream>
#include <map>

#include "cli/command.h"
#include "cli/interrupt.h"
#include "digits/slice.h"

namespace cmbo::digits {

namespace {

constexpr double kValidationShare = 1.0 / 3.0;
constexpr uint64_t kSplitSeed = 20;  // the same for every configuration and every thaw

struct DigitsOptions {
  std::string data = CMBO_DIGITS_DATA "/digits.csv.gz";  // the images
  bool shifts = false;                                   // train on every image in nine places
  std::map<std::string, std::string> flags;              // hyperparameters by name
};

Status set_flags(const DigitsOptions& options, Hyperparameters& parameters) {
  for (const auto& [name, text] : options.flags) {
    const auto number = parse_json(text);
    const Status set = set_parameter(parameters, name, number.ok() ? *number : Json(text));
    if (!set.ok()) return set.error().within("--" + name);
  }
  return {};
}

Result<Split> load_digits(const DigitsOptions& options, FileSystem& files) {
  CMBO_TRY(DataSet all, read_data_set(files, options.data));
  scale_pixels(all);
  Split parts = split(all, kValidationShare, kSplitSeed);
  if (options.shifts) parts.train = shifted(parts.train);
  return parts;
}

// One line an epoch: for cmbo if it asked for a slice, else for a person.
void report(const Slice& slice, size_t step, const Metrics& metrics, cli::Terminal& terminal) {
  if (slice.asked_for) {
    terminal.print(report_line(step, metrics));
  } else {
    terminal.print(fmt::format("epoch {:>3} of {}: accuracy {:.4f}, loss {:.4f}\n", step,
                               slice.plan.epochs, metrics.val_acc, metrics.val_loss));
  }
  terminal.finish();  // it is waited for
}

// The target of the next slice of a process that stays; nullopt = leave.
Result<std::optional<size_t>> wait_for_target(const Slice& slice) {
  std::string line;
  if (!slice.resident || !std::getline(std::cin, line)) return std::optional<size_t>();
  CMBO_TRY(const size_t target, parse_target(line));
  return std::optional(target);
}

// Signals count only here: while the process waits it may be ended at once, because all is saved.
Result<bool> advance_guarded(SliceRunner& runner, size_t target, const SliceRunner::Report& say) {
  const cli::InterruptGuard guard;
  return runner.advance(target, say, [&guard] { return guard.interrupted(); });
}

cli::Outcome train(const DigitsOptions& options, cli::Context& context) {
  Slice slice;
  CMBO_RETURN_IF_ERROR(
      read_environment([](const char* name) { return std::getenv(name); }, context.files, slice));
  CMBO_RETURN_IF_ERROR(set_flags(options, slice.plan.parameters));
  CMBO_TRY(const Split data, load_digits(options, context.files));
  const std::string task = options.shifts ? "digits, shifted" : "digits";
  CMBO_TRY(SliceRunner runner, SliceRunner::create(data, task, slice, context.files));

  const auto say = [&](size_t step, const Metrics& metrics) {
    report(slice, step, metrics, context.terminal);
  };
  for (std::optional<size_t> target = slice.target_step; target;) {
    CMBO_TRY(const bool reached, advance_guarded(runner, *target, say));
    if (!reached) return cli::kTryAgain;
    CMBO_TRY(target, wait_for_target(slice));
  }
  return cli::kOk;
}

int run(int argc, char** argv, cli::Context& context) {
  CLI::App app("Trains a small network to read handwritten digits", "cmbo-digits");
  DigitsOptions options;
  app.add_option("--data", options.data, "images as comma-separated values");
  app.add_flag("--shifts", options.shifts, "train on every image in nine places");
  const Json defaults = to_json(Hyperparameters{});
  for (const ParameterHelp& parameter : parameter_helps()) {
    app.add_option_function<std::string>(
           std::string("--") + parameter.name,
           [&options, &parameter](const std::string& text) {
             options.flags[parameter.name] = text;
           },
           parameter.help)
        ->default_str(defaults[parameter.name].dump());
  }
  CLI11_PARSE(app, argc, argv);
  const cli::Outcome outcome = train(options, context);
  if (!outcome.ok()) context.terminal.complain(outcome.error().message());
  return outcome.ok() ? *outcome : cli::kFailed;
}

}  // namespace

}  // namespace cmbo::digits

int main(int argc, char** argv) {
  cmbo::cli::Terminal terminal(stdout, stderr);
  cmbo::cli::Context context{cmbo::real_file_system(), cmbo::system_clock(), terminal};
  return cmbo::digits::run(argc, argv, context);
}
