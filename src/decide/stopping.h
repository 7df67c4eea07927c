// SPDX-License-Identifier: Apache-2.0
//
// When to stop: the estimated regret of what is in hand exceeds what the chance of an improvement
// still excuses.
#pragma once

#include <optional>

#include "base/result.h"
#include "decide/policy.h"

namespace cmbo::decide {

enum class StopBy {
  kRegret,  // the paper's rule
  kLook,    // by what a further look is worth
};

// The paper's rule: stop at b > 1 when
//   (U_max - U_prev) / (U_max - U_min) > delta_b = BetaCDF(p_b; beta, beta)^gamma
// with U_max the best utility seen and U_min = U(B, first value). Policies without a probability of
// improvement have the fixed threshold.
//
// The paper's p_b is the same for a hair's gain as for a large one, and however many epochs that
// takes; and as long as little has been found, U_max - U_min is next to nothing, so that it gives
// up where most is left to find. So the rule of the look stops when the look that is worth most
// (acquisition.h) is not worth its price, as far as promises have come true (hindsight.h):
//   gain < price
// Policies that know of no look follow the paper's.
struct StoppingRule {
  bool enabled = true;
  double beta = 0.36787944117144233;  // e^-1; ->0 ignores p_b, ->infinity trusts it fully
  double gamma = 2.321928094887362;   // log2 5: delta = 0.2 at p = 1/2
  double fixed_threshold = 0.2;
  StopBy by = StopBy::kLook;
};

// Whether the numbers make sense; the error names the field. beta may be 0 and infinite.
Status check(const StoppingRule& rule);

// delta_b. Rises with `probability`, in [0,1]; absent means the fixed threshold.
double threshold(const StoppingRule& rule, std::optional<double> probability);

// (best - latest) / (best - worst); 0, which never stops, where best and worst are the same.
double estimated_regret(double best, double latest, double worst);

// What the rules look at.
struct StoppingEvidence {
  double regret = 0.0;     // (U_max - U_prev) / (U_max - U_min)
  double threshold = 1.0;  // delta_b
  std::optional<Look> look = {};
};
// By the rule of the look, or else by the paper's.
bool goes_by_look(const StoppingRule& rule, const StoppingEvidence& evidence);
// Whether to stop, at b > 1.
bool should_stop(const StoppingRule& rule, const StoppingEvidence& evidence);

}  // namespace cmbo::decide
