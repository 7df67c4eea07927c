// SPDX-License-Identifier: Apache-2.0
//
// From the last hidden activations to a distribution (bars.h), and its loss. Letters: R answers,
// W head width, K bars.
//
//   logits = hidden W_bars,  c = hidden W_copy,  gate = sigmoid(c_0),  share below = sigmoid(c_1),
//   log scale below and above = between kMinScale and kMaxScale by sigmoid(c_2) and sigmoid(c_3);
//   the copy component sits on the answer's center m
#pragma once

#include <cstddef>
#include <span>

#include "network/bars.h"
#include "network/config.h"
#include "network/parameter_table.h"
#include "network/scratch.h"

namespace cmbo::network {

// Of the copy component. The floor keeps a model from betting everything on exact repetition.
inline constexpr float kMinScale = 3e-5F;
inline constexpr float kMaxScale = 0.1F;

// What makes a copy component: gate, share below, scale below, scale above.
inline constexpr size_t kCopyValues = 4;

// Immutable; thread-safe with a Scratch for each thread.
class BarHead {
 public:
  BarHead(const NetworkConfig& config, ParameterTable& table);

  struct Answers {
    size_t R;
    const float* hidden;   // [R][W]
    const float* centers;  // [R], m; ignored without a copy component
  };
  struct Truth {
    const Bars& bars;
    const float* values;   // [R]
    const float* weights;  // [R]
  };

  // The sum over r of weights[r] times the negative log density of values[r]. dhidden [R][W] is
  // set to its gradient, grads added to.
  double loss(const float* params, const Answers& answers, const Truth& truth, float* dhidden,
              float* grads, Scratch& scratch) const;

  // probabilities [R][K] and copies [R][kCopyValues], set.
  void distributions(const float* params, const Answers& answers, float* probabilities,
                     float* copies) const;

 private:
  NetworkConfig config_;
  size_t bars_w_ = 0, bars_b_ = 0;  // [K][W], [K]
  size_t copy_w_ = 0, copy_b_ = 0;  // [kCopyValues][W], [kCopyValues]
};

// Weights (an arena of `table`) for the bars `from` become weights for the bars `to`, as many: a
// bar within one of `from` has its density, up to the factor that makes the sum of all 1 again. So
// training can go on with bars that suit other data.
void move_bars(const ParameterTable& table, const Bars& from, const Bars& to,
               std::span<float> weights);

}  // namespace cmbo::network
