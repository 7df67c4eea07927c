// SPDX-License-Identifier: Apache-2.0
#include "replay/run.h"

#include <algorithm>

#include "base/check.h"
#include "replay/regret.h"

namespace cmbo::replay {

namespace {

using decide::Decision;

constexpr StepColumn kColumns[] = {{"configuration", &StepRecord::configuration},
                                   {"epoch", &StepRecord::epoch},
                                   {"value", &StepRecord::value},
                                   {"best", &StepRecord::best},
                                   {"utility", &StepRecord::utility},
                                   {"regret", &StepRecord::regret},
                                   {"acquisition", &StepRecord::acquisition},
                                   {"horizon", &StepRecord::horizon},
                                   {"probability", &StepRecord::probability},
                                   {"threshold", &StepRecord::threshold},
                                   {"estimated_regret", &StepRecord::estimated_regret},
                                   {"look_gain", &StepRecord::look_gain},
                                   {"look_price", &StepRecord::look_price},
                                   {"reachable_regret", &StepRecord::reachable_regret},
                                   {"reachable_horizon", &StepRecord::reachable_horizon}};

// What is known of the step that `decision` chose, before it is made.
StepRecord record_of(const Decision& decision) {
  StepRecord record;
  record.configuration = decision.choice.configuration;
  if (decision.choice.prospect) {
    record.acquisition = decision.choice.prospect->acquisition;
    record.horizon = decision.choice.prospect->horizon;
  }
  record.probability = decision.choice.probability.value_or(kUnknown);
  record.threshold = decision.evidence.threshold;
  if (decision.choice.look) {
    record.look_gain = decision.choice.look->gain;
    record.look_price = decision.choice.look->price;
  }
  record.estimated_regret = decision.evidence.regret;
  return record;
}

// Whether the rule says stop, were it enabled or not.
bool says_stop(const RunSettings& settings, const Decision& decision) {
  if (decision.step == 1) return false;
  decide::StoppingRule rule = settings.loop.stopping;
  rule.enabled = true;
  return decide::should_stop(rule, decision.evidence);
}

// The loop with its table and scale.
class Run {
 public:
  Run(const RunSettings& settings, decide::Policy& policy)
      : settings_(settings),
        scale_(regret_scale(settings.table, settings.utility, settings.loop.budget)),
        loop_(settings.table, settings.utility, settings.loop, policy) {}

  Result<std::optional<RunOutcome>> execute() {
    for (;;) {
      if (!settings_.proceed()) return std::optional<RunOutcome>();
      CMBO_TRY(const Decision decision, timed_decision());
      if (!outcome_.stopped_at && says_stop(settings_, decision)) {
        outcome_.stopped_at = decision.step - 1;
      }
      if (decision.stop) {
        outcome_.reason = decision.reason;
        break;
      }
      train(decision);
    }
    CHECK(!outcome_.steps.empty(), "a loop makes at least one step");
    return std::optional(std::move(outcome_));
  }

 private:
  Result<Decision> timed_decision() {
    const double begin = settings_.clock.monotonic_seconds();
    auto decision = loop_.ask();
    outcome_.decision_seconds += settings_.clock.monotonic_seconds() - begin;
    ++outcome_.decisions;
    return decision;
  }

  void train(const Decision& decision) {
    const uint32_t n = decision.choice.configuration;
    const decide::History& history = loop_.history();
    const uint32_t epochs = history.epochs(n);
    StepRecord record = record_of(decision);
    const Reach reach = reachable(settings_.table, settings_.utility, settings_.loop.budget,
                                  {n, epochs, history.steps().size(), history.best()});
    record.reachable_regret = scale_(reach.utility);
    record.reachable_horizon = reach.horizon;
    loop_.tell(n, settings_.table.curve(n)[epochs]);
    record.epoch = epochs + 1;
    record.value = static_cast<double>(history.steps().back().value);
    record.best = static_cast<double>(history.best());
    record.utility = loop_.utility();
    record.regret = scale_(record.utility);
    outcome_.steps.push_back(record);
  }

  const RunSettings& settings_;
  const RegretScale scale_;
  decide::Loop loop_;
  RunOutcome outcome_;
};

}  // namespace

std::span<const StepColumn> step_columns() {
  return kColumns;
}

size_t RunOutcome::best_stop() const {
  const auto best = std::min_element(
      steps.begin(), steps.end(),
      [](const StepRecord& a, const StepRecord& b) { return a.regret < b.regret; });
  return static_cast<size_t>(best - steps.begin()) + 1;
}

Result<std::optional<RunOutcome>> run(const RunSettings& settings, decide::Policy& policy) {
  return Run(settings, policy).execute();
}

}  // namespace cmbo::replay
