// SPDX-License-Identifier: Apache-2.0
//
// cmbo pause, cmbo resume, cmbo stop: wishes that the running `cmbo tune` follows
#include <fmt/format.h>

#include "cli/command.h"
#include "cli/study_directory.h"

namespace cmbo::cli {

namespace {

using study::Wish;

struct SteerOptions {
  std::string study;
  bool json = false;
};

// How a wish went.
struct Steered {
  ExitCode code = kOk;
  std::string text = {};
};

void report_steered(const Steered& steered, Wish wish, bool json, Context& context) {
  if (json) {
    const Json report = {
        {"wish", wish_name(wish)}, {"done", steered.code == kOk}, {"text", steered.text}};
    context.terminal.print(report.dump(2) + "\n");
  } else if (steered.code == kOk) {
    context.terminal.print(steered.text + "\n");
  } else {
    context.terminal.complain(steered.text);
  }
}

// What may keep a wish from being of any use; empty text = nothing.
Steered obstacle(const Visit& visit) {
  const study::StudyRecord& record = visit.facts.study();
  const std::string file = visit.paths.file.string();
  if (record.state == study::StudyState::kStopped) {
    return {kNothingToDo,
            fmt::format("it has stopped already ({}); with other limits or another utility cmbo "
                        "tune {} goes on",
                        record.reason, file)};
  }
  if (!driver_of(visit.paths)) {
    return {kNothingToDo, fmt::format("nobody runs it; cmbo tune {} goes on with it", file)};
  }
  return {};
}

Outcome steer(const SteerOptions& options, Wish wish, const std::string& done, Context& context) {
  CMBO_TRY(const Visit visit, visit_study(options.study, context));
  Steered steered = obstacle(visit);
  if (steered.code == kOk) {
    CMBO_TRY(const Wish before, visit.storage->wish());
    steered =
        before == wish
            ? Steered{kNothingToDo, fmt::format("{} is what it was asked already", wish_name(wish))}
            : Steered{kOk, done};
    CMBO_RETURN_IF_ERROR(visit.storage->set_wish(wish));
  }
  report_steered(steered, wish, options.json, context);
  return steered.code;
}

Outcome run_pause(const SteerOptions& options, Context& context) {
  return steer(options, Wish::kPause,
               "it pauses: what runs now ends its slice, then nothing new starts until cmbo resume",
               context);
}

Outcome run_resume(const SteerOptions& options, Context& context) {
  return steer(options, Wish::kRun, "it goes on", context);
}

Outcome run_stop(const SteerOptions& options, Context& context) {
  return steer(options, Wish::kStop, "it stops; nothing is lost, cmbo tune goes on later", context);
}

void declare_steer(CLI::App& command, SteerOptions& options) {
  command.add_option("study", options.study, kStudyHelp)->required();
  command.add_flag("--json", options.json, "print as JSON");
}

}  // namespace

void add_steer_commands(CLI::App& app, Action& chosen) {
  add_command<SteerOptions>(app, chosen, "pause", "let a running study start nothing new",
                            run_pause, declare_steer);
  add_command<SteerOptions>(app, chosen, "resume", "let a paused study go on", run_resume,
                            declare_steer);
  add_command<SteerOptions>(app, chosen, "stop", "let a running study end", run_stop,
                            declare_steer);
}

}  // namespace cmbo::cli
