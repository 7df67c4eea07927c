// SPDX-License-Identifier: Apache-2.0
//
// What going on with a configuration promises. With t_n its next epoch and Δt in {0..T-t_n}:
//
//   A(n) = max over Δt of E[ max(0, U(cost, best) - U_prev) ]
//     cost = spent + (Δt + 1) epoch_cost(n), best = max(best so far, y_{t_n}, ..., y_{t_n+Δt})
//
// the y being sampled futures, and U_prev the latest utility: money spent does not come back. A Δt
// that the budget does not allow is not considered. Pure functions.
#pragma once

#include <vector>

#include "decide/budget.h"
#include "decide/history.h"
#include "decide/policy.h"
#include "decide/utility.h"
#include "forecast/samples.h"

namespace cmbo::decide {

// Before a step.
struct Standing {
  double spent = 0.0;
  float best = 0.0F;
  double utility = 0.0;  // U_prev: U(spent, best), 0 before the first step
};
Standing standing_of(const History& history, const Utility& utility);

// A and the smallest Δt that attains it, for each asked configuration; 0 and 0 where nothing can be
// gained. The samples of future epochs are numbers.
std::vector<Prospect> prospects(const forecast::Samples& samples, const Standing& standing,
                                const Utility& utility, const Budget& budget);

// p_b of the asked configuration q: max over Δt >= 1 of P(U(cost, best) > U_prev). Where horizon or
// budget leave a single epoch, that one; 0 where they leave none.
double probability_of_gain(const forecast::Samples& samples, size_t q, const Standing& standing,
                           const Utility& utility, const Budget& budget);

// What a look at the asked configuration q promises and what it costs. A look are five more epochs,
// or as many as horizon and budget leave; by then it is known which of the sampled curves it is on,
// and that is followed for as long as it pays:
//
//   price = U_prev - U(cost of the look, best so far)
//   gain = E[ max over Δt >= 4 of U(cost, best) ] - U(cost of the look, best so far)
//
// Unlike A it charges for samples that bring nothing. All is 0 where no epoch is left.
inline constexpr uint32_t kLookEpochs = 5;
Look look_at(const forecast::Samples& samples, size_t q, const Standing& standing,
             const Utility& utility, const Budget& budget);

// E[ max(0, y_T - best) ] of each asked configuration: what is gained at the last epoch, whatever
// it costs.
std::vector<double> final_improvements(const forecast::Samples& samples, float best);

// The (lower) median of y_T of the asked configuration q.
float final_median(const forecast::Samples& samples, size_t q);

}  // namespace cmbo::decide
