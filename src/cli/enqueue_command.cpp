// SPDX-License-Identifier: Apache-2.0
//
// cmbo enqueue
#include <algorithm>
#include <fmt/format.h>

#include "cli/command.h"
#include "cli/enqueue_input.h"
#include "cli/study_directory.h"
#include "cli/study_text.h"
#include "cli/tune_view.h"

namespace cmbo::cli {

namespace {

struct EnqueueOptions {
  std::string study;
  std::vector<std::string> words;
  bool json = false;
};

struct Enqueued {
  Json parameters = {};
  const study::Trial* known = nullptr;  // the trial that it is already
  bool queued = false;                  // false: it was trained before
};

Result<Enqueued> enqueue_one(const Visit& visit, const Json& parameters) {
  Enqueued result{.parameters = parameters};
  for (const study::Trial& trial : visit.facts.trials()) {
    if (trial.parameters == parameters) result.known = &trial;
  }
  result.queued = result.known == nullptr || result.known->state == study::TrialState::kNew;
  if (!result.queued) return result;
  CMBO_TRY([[maybe_unused]] const uint64_t id, visit.storage->enqueue(parameters));
  return result;
}

std::string enqueued_text(const Visit& visit, const Enqueued& enqueued) {
  const std::string name = parameters_text(enqueued.parameters);
  if (enqueued.queued) return fmt::format("{}: will be trained next\n", name);
  return fmt::format("{}: is trial {}, {} after {}; nothing to do\n", name, enqueued.known->number,
                     state_name(enqueued.known->state),
                     steps_text(visit.file, visit.facts.steps(enqueued.known->number)));
}

Outcome run_enqueue(const EnqueueOptions& options, Context& context) {
  CMBO_TRY(const Visit visit, visit_study(options.study, context));
  CMBO_TRY(const std::vector<Json> all, parse_configurations(options.words, visit.file.space));
  Json json = Json::array();
  bool any = false;
  for (const Json& parameters : all) {
    CMBO_TRY(const Enqueued enqueued, enqueue_one(visit, parameters));
    any = any || enqueued.queued;
    json.push_back({{"parameters", enqueued.parameters},
                    {"trial", enqueued.known != nullptr ? Json(enqueued.known->number) : Json()},
                    {"queued", enqueued.queued}});
    if (!options.json) context.terminal.print(enqueued_text(visit, enqueued));
  }
  if (options.json) context.terminal.print(json.dump(2) + "\n");
  return any ? kOk : kNothingToDo;
}

}  // namespace

void add_enqueue_command(CLI::App& app, Action& chosen) {
  add_command<EnqueueOptions>(
      app, chosen, "enqueue", "let a study train configurations of your own next", run_enqueue,
      [](CLI::App& command, EnqueueOptions& options) {
        command.add_option("study", options.study, kStudyHelp)->required();
        command
            .add_option("configuration", options.words,
                        "lr=0.01 layers=3, or JSON: {\"lr\": 0.01, ...}, and more such; what "
                        "is left out has its default")
            ->required();
        command.add_flag("--json", options.json, "print as JSON");
      });
}

}  // namespace cmbo::cli
