// SPDX-License-Identifier: Apache-2.0
#include "decide/reason.h"

#include <fmt/format.h>

namespace cmbo::decide {

namespace {

// Never 0 % or 100 % unless it is.
std::string percent(double share) {
  if (share > 0.0 && share < 0.01) return "under 1 %";
  if (share < 1.0 && share > 0.99) return "over 99 %";
  return fmt::format("{:.0f} %", 100.0 * share);
}

// What is appended where less is believed than forecasts say.
constexpr const char* kUnkept = ", but too little of what they promised came true";

std::string reason_of_look(const Look& look) {
  std::string text = fmt::format(
      "stop: no configuration is worth another look: {} epoch{} cost{} {:.2g}, and what may come "
      "of that is worth {:.2g}",
      look.epochs, look.epochs == 1 ? "" : "s", look.epochs == 1 ? "s" : "", look.price, look.gain);
  if (look.foretold == look.gain) return text;
  return text + fmt::format(": forecasts say {:.2g}{}", look.foretold, kUnkept);
}

}  // namespace

std::string reason_to_go_on(const Choice& choice, bool first_epoch) {
  std::string what = fmt::format("{} configuration {}", first_epoch ? "starting" : "going on with",
                                 choice.configuration);
  if (!choice.prospect) return what;
  if (choice.on_guard) {
    return fmt::format(
        "{}, to see further before more is tried: it promises {:.2g}, the best {:.2g}", what,
        choice.prospect->acquisition, choice.runners_up.front().acquisition);
  }
  if (choice.prospect->acquisition <= 0.0) {
    return what + ", although nothing is expected to raise the utility";
  }
  const uint32_t epochs = choice.prospect->horizon + 1;
  // It does not look at the next epoch alone, so it may be 0 where that one promises a gain.
  const double probability = choice.prospect->chance.value_or(0.0);
  const std::string chance =
      probability > 0.0 ? fmt::format(" (chance {})", percent(probability)) : "";
  return fmt::format("{} for {} epoch{} is expected to raise the utility by {:.2g}{}", what, epochs,
                     epochs == 1 ? "" : "s", choice.prospect->acquisition, chance);
}

std::string reason_to_stop(const StoppingRule& rule, const Choice& choice,
                           const StoppingEvidence& evidence, double shortfall) {
  if (goes_by_look(rule, evidence)) return reason_of_look(*evidence.look);
  std::string text =
      fmt::format("stop: the utility is {:.2g} below its best (regret {:.2g} > {:.2g})", shortfall,
                  evidence.regret, evidence.threshold);
  if (!choice.probability) return text;
  const std::string chance = percent(*choice.probability);
  text += fmt::format(", and the chance to improve is {}{}",
                      *choice.probability < 0.5 ? "only " : "", chance);
  const std::string foretold = percent(*choice.probability / choice.kept.all);
  if (foretold == chance) return text;
  return text + fmt::format(": forecasts say {}{}", foretold, kUnkept);
}

std::string reason_budget(double budget, double spent) {
  if (spent >= budget) return fmt::format("stop: the budget of {:g} is spent", budget);
  return fmt::format("stop: {:.4g} of the budget of {:g} are left, too little for another epoch",
                     budget - spent, budget);
}

std::string reason_finished() {
  return "stop: every configuration is fully trained";
}

}  // namespace cmbo::decide
