// SPDX-License-Identifier: Apache-2.0
//
// The first half of the synthetic prior: configurations of a random space, and a random network
// that maps each to latent scores.
//
//   h1 = tanh(g W1 R (x - 1/2) + b1)        R = diag(relevance), relevance_i = e^(2 N(0,1)) / max,
//                                           before the maximum x 0.4 for an input of few values
//   h2 = tanh(W2 h1 + b2)
//   z  = standardize(W3 h2 + s (x_j - 1/2)) + e N(0,1), standardized again
//
// The uneven relevance leaves one to four inputs that matter; the gain g, drawn for a task, makes
// it nearly linear or wavy; every score has an input x_j of its own, picked by relevance, with a
// linear effect s; e is what the inputs do not explain. Scores have mean 0 and deviation 1 over the
// configurations, so normal_cdf(z) is near uniform and thresholds on it are shares.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/random.h"

namespace cmbo::curves {

// Configurations of a random space of mixed kinds: numbers, grids (integers, ordered categories),
// switches and one-hot categories. [count][inputs], row after row.
struct PriorInputs {
  size_t inputs = 0;
  std::vector<float> x;
  std::vector<bool> coarse;  // [inputs] whether it has only a few values

  size_t size() const { return inputs == 0 ? 0 : x.size() / inputs; }
  std::span<const float> row(size_t n) const { return std::span(x).subspan(n * inputs, inputs); }
};

// The first input is always a number, so that configurations differ.
PriorInputs draw_inputs(size_t inputs, size_t count, Random& random);

// Latent scores, [scores][N]: score after score.
class LatentScores {
 public:
  LatentScores(size_t scores, size_t size) : size_(size), values_(scores * size) {}
  std::span<double> score(size_t s) { return std::span(values_).subspan(s * size_, size_); }
  double at(size_t s, size_t n) const { return values_[s * size_ + n]; }
  size_t size() const { return size_; }

 private:
  size_t size_;
  std::vector<double> values_;
};

// `unexplained` is e above.
LatentScores draw_scores(const PriorInputs& inputs, size_t scores, double unexplained,
                         Random& random);

// To mean 0 and deviation 1; values that are all alike become 0.
void standardize(std::span<double> values);

double normal_cdf(double z);

}  // namespace cmbo::curves
