// SPDX-License-Identifier: Apache-2.0
//
// The freeze-thaw loop: ask what to do next, tell what came of it.
//
//   for (;;) {
//     CMBO_TRY(const Decision decision, loop.ask());
//     if (decision.stop) break;                      // decision.reason says why
//     loop.tell(train one epoch of decision.choice.configuration);
//   }
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "decide/budget.h"
#include "decide/history.h"
#include "decide/outlook.h"
#include "decide/policy.h"
#include "decide/stopping.h"
#include "decide/utility.h"

namespace cmbo::decide {

struct LoopOptions {
  double budget = 300;                   // B, in units of cost; no step may exceed it
  StoppingRule stopping = {};            // stopping.h
  std::vector<double> epoch_costs = {};  // expected, of each configuration; empty = 1 each
  // The cost of U_min in the stopping rule; absent = the budget. For a search without a budget.
  std::optional<double> worst_cost = {};
  bool foresee = false;  // decisions to go on tell what is expected until the end (outlook.h)
};

// Everything that was known when it was made.
struct Decision {
  bool stop = false;
  bool by_rule = false;       // by the stopping rule, not for want of epochs or budget
  Choice choice;              // what to train, or what would have been trained
  size_t step = 0;            // b, from 1: the step that is decided about
  double utility = 0.0;       // U_prev, of all steps before
  StoppingEvidence evidence;  // what the stopping rule looked at, if it was asked
  std::string reason;         // a sentence for a person
  // To go on, after the first step, where it is wanted and the policy knows futures.
  std::optional<Outlook> outlook;
};

class Loop {
 public:
  // The policy outlives the loop.
  Loop(curves::CurveTable pool, Utility utility, const LoopOptions& options, Policy& policy);

  // Repeated without tell(), the same decision. Stops without asking the policy when every
  // configuration is finished or no next epoch fits into the budget; never by the stopping rule
  // before the first step. While a choice of several epochs is under way, it is the decision again,
  // without asking or stopping; divergence ends it early. An error is the policy's.
  Result<Decision> ask();
  // The value of the next epoch of a configuration, normally the one asked for, and what it did
  // cost; if absent, as expected.
  void tell(uint32_t configuration, float value, std::optional<double> cost = std::nullopt);

  // See History; both change the next decision.
  void charge(double cost);
  void withhold(uint32_t configuration);

  const History& history() const { return history_; }
  double utility() const;  // of all steps so far: U(spent, best); 0 before the first

 private:
  bool fits(uint32_t configuration) const;
  bool anything_fits(const std::vector<uint32_t>& candidates) const;
  double worst_utility() const;  // U_min; after the first step
  StoppingEvidence evidence(const Choice& choice) const;
  Result<Decision> decide();
  bool under_way() const;
  Decision go_on() const;

  History history_;
  Utility utility_;
  Budget budget_;
  double worst_cost_;
  StoppingRule stopping_;
  bool foresee_;
  Policy& policy_;
  double best_utility_ = 0.0;        // U_max, after any step
  std::optional<Decision> decided_;  // since the last tell()
  uint32_t committed_to_ = 0;        // the configuration of the last choice
  uint32_t committed_epochs_ = 0;    // of it, still to be trained without asking
};

}  // namespace cmbo::decide
