// SPDX-License-Identifier: Apache-2.0
#include "decide/loop.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "decide/acquisition.h"
#include "decide/reason.h"

namespace cmbo::decide {

Loop::Loop(curves::CurveTable pool, Utility utility, const LoopOptions& options, Policy& policy)
    : history_(std::move(pool)),
      utility_(std::move(utility)),
      budget_{options.budget, options.epoch_costs},
      worst_cost_(options.worst_cost.value_or(options.budget)),
      stopping_(options.stopping),
      foresee_(options.foresee),
      policy_(policy) {
  CHECK(budget_.epoch_costs.empty() || budget_.epoch_costs.size() == history_.size(),
        "one cost for each configuration");
  CHECK(check(stopping_).ok(), "a stopping rule without sense");
}

double Loop::utility() const {
  return standing_of(history_, utility_).utility;
}

bool Loop::fits(uint32_t configuration) const {
  return budget_.allows(history_.spent() + budget_.epoch_cost(configuration));
}

bool Loop::anything_fits(const std::vector<uint32_t>& candidates) const {
  return std::any_of(candidates.begin(), candidates.end(), [&](uint32_t n) { return fits(n); });
}

double Loop::worst_utility() const {
  return utility_(worst_cost_, static_cast<double>(history_.steps().front().value));
}

StoppingEvidence Loop::evidence(const Choice& choice) const {
  StoppingEvidence evidence;
  evidence.regret = estimated_regret(best_utility_, utility(), worst_utility());
  evidence.threshold = threshold(stopping_, choice.probability);
  evidence.look = choice.look;
  return evidence;
}

Result<Decision> Loop::decide() {
  Decision decision;
  decision.stop = true;
  decision.step = history_.steps().size() + 1;
  decision.utility = utility();
  decision.reason = reason_budget(budget_.total, history_.spent());
  const std::vector<uint32_t> candidates = history_.candidates();
  if (candidates.empty()) decision.reason = reason_finished();
  if (!anything_fits(candidates)) return decision;

  CMBO_TRY(decision.choice, policy_.choose(history_));
  const uint32_t chosen = decision.choice.configuration;
  CHECK(chosen < history_.size() && history_.is_candidate(chosen), "a policy chooses a candidate");
  if (!fits(chosen)) return decision;  // by a policy that knows no costs

  if (decision.step > 1) {
    decision.evidence = evidence(decision.choice);
    decision.by_rule = should_stop(stopping_, decision.evidence);
    if (decision.by_rule) {
      decision.reason = reason_to_stop(stopping_, decision.choice, decision.evidence,
                                       best_utility_ - decision.utility);
      return decision;
    }
    if (foresee_ && !decision.choice.futures.asked.empty()) {
      decision.outlook =
          decide::foresee({decision.choice.futures, standing_of(history_, utility_), best_utility_,
                           worst_utility(), utility_, budget_, stopping_, decision.choice.kept});
    }
  }
  decision.stop = false;
  decision.reason = reason_to_go_on(decision.choice, history_.epochs(chosen) == 0);
  return decision;
}

bool Loop::under_way() const {
  return committed_epochs_ > 0 && history_.is_candidate(committed_to_) && fits(committed_to_);
}

Decision Loop::go_on() const {
  Decision decision;
  decision.choice.configuration = committed_to_;
  decision.choice.epochs = committed_epochs_;
  decision.step = history_.steps().size() + 1;
  decision.utility = utility();
  decision.reason = reason_to_go_on(decision.choice, false);
  return decision;
}

Result<Decision> Loop::ask() {
  if (!decided_ && under_way()) decided_ = go_on();
  if (!decided_) {
    CMBO_TRY(decided_, decide());
    committed_to_ = decided_->choice.configuration;
    committed_epochs_ = decided_->choice.epochs;
  }
  return *decided_;
}

void Loop::tell(uint32_t configuration, float value, std::optional<double> cost) {
  CHECK(configuration < history_.size(), "no such configuration");
  history_.add(configuration, value, cost.value_or(budget_.epoch_cost(configuration)));
  best_utility_ = history_.steps().size() == 1 ? utility() : std::max(best_utility_, utility());
  const bool as_chosen = committed_epochs_ > 0 && configuration == committed_to_;
  const bool diverged = history_.steps().back().value <= 0.0F;
  committed_epochs_ = as_chosen && !diverged ? committed_epochs_ - 1 : 0;
  decided_.reset();
}

void Loop::charge(double cost) {
  history_.charge(cost);
  decided_.reset();
}

void Loop::withhold(uint32_t configuration) {
  history_.withhold(configuration);
  decided_.reset();
}

}  // namespace cmbo::decide
