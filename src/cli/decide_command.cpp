// SPDX-License-Identifier: Apache-2.0
//
// cmbo decide
#include <algorithm>
#include <fmt/format.h>

#include "cli/command.h"
#include "cli/decide_input.h"
#include "cli/text.h"
#include "decide/cmbo_policy.h"

namespace cmbo::cli {

namespace {

using decide::Decision;
using decide::Prospect;
using forecast::Samples;

constexpr uint64_t kMaxInputBytes = uint64_t{1} << 30;

struct DecideOptions {
  std::string input;  // file
  bool json = false;
};

// The given samples of the asked configurations; all of those that are not finished are given.
Samples select(const Samples& all, std::span<const uint32_t> asked) {
  Samples some;
  some.horizon = all.horizon;
  some.count = all.count;
  const size_t block = all.horizon * all.count;
  for (const uint32_t n : asked) {
    const auto found = std::lower_bound(all.asked.begin(), all.asked.end(), n);
    const auto q = static_cast<size_t>(found - all.asked.begin());
    const auto values = std::span(all.values).subspan(q * block, block);
    some.asked.push_back(n);
    some.lengths.push_back(all.lengths[q]);
    some.values.insert(some.values.end(), values.begin(), values.end());
  }
  return some;
}

// The method itself, without corrections: to be checked against others. There are samples of one
// state only, so hindsight would have nothing to look back at.
decide::CmboPolicy policy_of(const DecideInput& input) {
  return {[&samples = input.samples](const auto&, std::span<const uint32_t> asked) {
            return Result<Samples>(select(samples, asked));
          },
          {.utility = input.utility,
           .budget = {input.loop.budget, input.loop.epoch_costs},
           .patience = 0,
           .depth = 0.0,
           .hindsight = false}};
}

decide::Loop loop_of(const DecideInput& input, decide::Policy& policy) {
  curves::CurveTable pool;
  pool.horizon = input.samples.horizon;
  for (size_t n = 0; n < input.configurations; ++n) (void)pool.add(0);
  decide::Loop loop(std::move(pool), input.utility, input.loop, policy);
  for (const decide::Step& step : input.steps) {
    loop.tell(step.configuration, step.value, step.cost);
  }
  return loop;
}

Json prospect_to_json(const Prospect& prospect) {
  return {{"configuration", prospect.configuration},
          {"acquisition", prospect.acquisition},
          {"further_epochs", prospect.horizon},
          {"probability", prospect.chance.value()}};
}

Json look_to_json(const decide::Look& look) {
  return {{"gain", look.gain}, {"price", look.price}};
}

Json decision_to_json(const Decision& decision, const decide::History& history) {
  const decide::StoppingEvidence& evidence = decision.evidence;
  Json json = {
      {"stop", decision.stop},     {"reason", decision.reason},       {"step", decision.step},
      {"spent", history.spent()},  {"best", history.best()},          {"utility", decision.utility},
      {"regret", evidence.regret}, {"threshold", evidence.threshold}, {"look", nullptr},
      {"choice", nullptr},         {"runners_up", Json::array()}};
  const decide::Choice& choice = decision.choice;
  if (choice.look) json["look"] = look_to_json(*choice.look);
  if (!choice.prospect) return json;
  json["choice"] = prospect_to_json(*choice.prospect);
  json["choice"]["epoch"] = history.epochs(choice.configuration) + 1;
  for (const Prospect& other : choice.runners_up) {
    json["runners_up"].push_back(prospect_to_json(other));
  }
  return json;
}

std::string decision_to_text(const Decision& decision, size_t width) {
  std::string text = decision.reason + "\n";
  if (!decision.choice.prospect) return text;
  TextTable table({"configuration", "expected gain", "in epochs"});
  const auto add = [&](const Prospect& prospect) {
    table.add({fmt::format("{}", prospect.configuration), number_text(prospect.acquisition),
               fmt::format("{}", prospect.horizon + 1)});
  };
  add(*decision.choice.prospect);
  for (const Prospect& other : decision.choice.runners_up) add(other);
  return text +
         fmt::format("step {}, utility {}, regret {}, threshold {}\n\n", decision.step,
                     number_text(decision.utility), number_text(decision.evidence.regret),
                     number_text(decision.evidence.threshold)) +
         table.render(width);
}

Outcome run_decide(const DecideOptions& options, Context& context) {
  CMBO_TRY(const std::string text, read_file(context.files, options.input, kMaxInputBytes));
  const auto json = parse_json(text);
  if (!json.ok()) return json.error().within(options.input);
  const auto input = decide_input_from_json(*json);
  if (!input.ok()) return input.error().within(options.input);
  decide::CmboPolicy policy = policy_of(*input);
  decide::Loop loop = loop_of(*input, policy);
  CMBO_TRY(const Decision decision, loop.ask());
  context.terminal.print(options.json ? decision_to_json(decision, loop.history()).dump(2) + "\n"
                                      : decision_to_text(decision, context.terminal.out_width()));
  return kOk;
}

}  // namespace

void add_decide_command(CLI::App& app, Action& chosen) {
  add_command<DecideOptions>(
      app, chosen, "decide", "what to train next, or to stop, by forecasts of your own", run_decide,
      [](CLI::App& command, DecideOptions& options) {
        command
            .add_option("--input", options.input,
                        "JSON file of the steps so far and sampled futures (docs/formats.md)")
            ->required();
        command.add_flag("--json", options.json, "print all numbers as JSON");
      });
}

}  // namespace cmbo::cli
