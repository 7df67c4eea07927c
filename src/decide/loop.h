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
#include <memory>
#include <string>

#include "base/result.h"
#include "decide/history.h"
#include "decide/policy.h"
#include "decide/stopping.h"
#include "decide/utility.h"

namespace cmbo::decide {

struct LoopOptions {
  double budget = 300;    // B, in units of cost; no step may exceed it
  StoppingRule stopping;  // stopping.h
};

// Everything that was known when it was made.
struct Decision {
  bool stop = false;
  Choice choice;           // what to train, or what would have been trained
  size_t step = 0;         // b, from 1: the step that is decided about
  double utility = 0.0;    // U_prev, of all steps before
  double regret = 0.0;     // estimated: (U_max - U_prev) / (U_max - U_min); 0 where undefined
  double threshold = 1.0;  // delta_b
  std::string reason;      // a sentence for a person
};

class Loop {
 public:
  // The policy outlives the loop.
  Loop(curves::CurveTable pool, Utility utility, const LoopOptions& options, Policy& policy);

  // Repeated without tell(), the same decision.
  Result<Decision> ask();
  // The value of the next epoch of a configuration; normally the one asked for.
  void tell(uint32_t configuration, float value);

  const History& history() const { return history_; }
  double utility() const;  // of all steps so far: U(b, best); 0 before the first

 private:
  History history_;
  Utility utility_;
  LoopOptions options_;
  Policy& policy_;
  // The trace that the stopping rule needs (best utility seen, first value): see loop.cpp.
};

}  // namespace cmbo::decide
