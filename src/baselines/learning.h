// SPDX-License-Identifier: Apache-2.0
//
// What the baselines with a model of their own have in common.
#pragma once

#include <span>

#include "curves/curve_table.h"
#include "decide/policy.h"

namespace cmbo::baselines {

// Whether `steps` goes on from `seen`: the same configurations and values so far. A policy that
// learns step by step keeps its model then, and otherwise learns all steps anew, so that its choice
// depends on the history alone.
bool goes_on_from(std::span<const decide::Step> seen, std::span<const decide::Step> steps);

// The candidate with the largest score, the first of equal ones. At least one; as many scores.
uint32_t best_candidate(std::span<const uint32_t> candidates, std::span<const double> scores);

decide::Choice choice_of(uint32_t configuration);

// `wanted`, or the first candidate after it, round about, if it is none. There is one.
uint32_t candidate_from(const decide::History& history, uint32_t wanted);

// Where the training tasks hold the same configurations in the same order, recorded to the last
// epoch: the one with the largest mean of the last values.
uint32_t best_of_training(std::span<const curves::CurveTable* const> training);

// From `rate` down to nothing along half a cosine; step 0..steps-1.
float cosine_rate(float rate, size_t step, size_t steps);

}  // namespace cmbo::baselines
