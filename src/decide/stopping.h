// SPDX-License-Identifier: Apache-2.0
//
// When to stop: the estimated regret of what is in hand exceeds what the chance of an improvement
// still excuses.
#pragma once

namespace cmbo::decide {

// The paper's rule: stop at b > 1 when
//   (U_max - U_prev) / (U_max - U_min) > delta_b = BetaCDF(p_b; beta, beta)^gamma
// with U_max the best utility seen and U_min = U(B, first value). Policies without a probability of
// improvement have the fixed threshold.
struct StoppingRule {
  bool enabled = true;
  double beta = 0.36787944117144233;  // e^-1; ->0 ignores p_b, ->infinity trusts it fully
  double gamma = 2.321928094887362;   // log2 5: delta = 0.2 at p = 1/2
  double fixed_threshold = 0.2;
};

}  // namespace cmbo::decide
