// SPDX-License-Identifier: Apache-2.0
//
// When to stop: the estimated regret of what is in hand exceeds what the chance of an improvement
// still excuses.
#pragma once

#include <optional>

#include "base/result.h"

namespace cmbo::decide {

enum class StopBy {
  kRegret,  // the paper's rule
  kGain,    // the next step costs more than the best prospect promises
};

// The paper's rule: stop at b > 1 when
//   (U_max - U_prev) / (U_max - U_min) > delta_b = BetaCDF(p_b; beta, beta)^gamma
// with U_max the best utility seen and U_min = U(B, first value). Policies without a probability of
// improvement have the fixed threshold.
//
// The rule of the gain: stop at b > 1 when
//   A(n*) < margin (U_prev - U(cost after one more epoch of n*, best))
// Policies without a prospect follow the paper's rule.
struct StoppingRule {
  bool enabled = true;
  double beta = 0.36787944117144233;  // e^-1; ->0 ignores p_b, ->infinity trusts it fully
  double gamma = 2.321928094887362;   // log2 5: delta = 0.2 at p = 1/2
  double fixed_threshold = 0.2;
  StopBy by = StopBy::kRegret;
  double margin = 1.0;  // of the rule of the gain, in steps
};

// Whether the numbers make sense; the error names the field. beta may be 0 and infinite.
Status check(const StoppingRule& rule);

// delta_b. Rises with `probability`, in [0,1]; absent means the fixed threshold.
double threshold(const StoppingRule& rule, std::optional<double> probability);

// (best - latest) / (best - worst); 0, which never stops, where best and worst are the same.
double estimated_regret(double best, double latest, double worst);

// What the rules look at; utilities and their differences.
struct StoppingEvidence {
  double regret = 0.0;              // estimated
  double threshold = 1.0;           // delta_b
  double step_price = 0.0;          // of the next step: U_prev - U after it, if the best stays
  std::optional<double> gain = {};  // A(n*), where the policy knows
};
// Whether to stop, at b > 1.
bool should_stop(const StoppingRule& rule, const StoppingEvidence& evidence);

}  // namespace cmbo::decide
