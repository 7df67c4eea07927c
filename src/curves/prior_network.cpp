// SPDX-License-Identifier: Apache-2.0
#include "curves/prior_network.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>

namespace cmbo::curves {

namespace {

constexpr size_t kHidden = 16;
constexpr double kRelevanceSpread = 2.0;
constexpr double kCoarseRelevance = 0.4;  // few values make few kinds of curves: not too often
constexpr double kLowGain = 0.8, kHighGain = 4.0;
constexpr double kStrongestLinear = 3.0;

using Hidden = std::array<double, kHidden>;

// How an input is drawn: levels 0 is a number, otherwise a grid of so many levels over [0,1].
struct InputKind {
  size_t levels = 0;
  size_t one_hot = 1;  // columns of a one-hot category, 1 for all other kinds
};

InputKind draw_kind(size_t columns_left, Random& random) {
  const double kind = random.uniform();
  if (kind < 0.65) return {};
  if (kind < 0.80) return {3 + random.index(8)};
  if (kind < 0.90 || columns_left < 2) return {2};
  return {2, 2 + random.index(std::min<size_t>(columns_left, 5) - 1)};
}

void fill_columns(PriorInputs& inputs, size_t column, const InputKind& kind, Random& random) {
  const size_t count = inputs.size();
  for (size_t n = 0; n < count; ++n) {
    float* x = &inputs.x[n * inputs.inputs + column];
    if (kind.one_hot > 1) {
      x[random.index(kind.one_hot)] = 1.0f;
    } else if (kind.levels > 0) {
      x[0] = static_cast<float>(random.index(kind.levels)) / static_cast<float>(kind.levels - 1);
    } else {
      x[0] = static_cast<float>(random.uniform());
    }
  }
}

std::vector<double> draw_relevance(const PriorInputs& inputs, Random& random) {
  std::vector<double> relevance(inputs.inputs);
  for (size_t i = 0; i < inputs.inputs; ++i) {
    relevance[i] = std::exp(kRelevanceSpread * random.normal());
    if (inputs.coarse[i]) relevance[i] *= kCoarseRelevance;
  }
  const double largest = *std::max_element(relevance.begin(), relevance.end());
  for (double& r : relevance) r /= largest;
  return relevance;
}

size_t pick_by_weight(std::span<const double> weights, Random& random) {
  double left = random.uniform() * std::accumulate(weights.begin(), weights.end(), 0.0);
  for (size_t i = 0; i + 1 < weights.size(); ++i) {
    left -= weights[i];
    if (left < 0) return i;
  }
  return weights.size() - 1;
}

class RandomNetwork {
 public:
  RandomNetwork(const PriorInputs& inputs, Random& random)
      : inputs_(inputs.inputs),
        relevance_(draw_relevance(inputs, random)),
        first_(inputs.inputs * kHidden),
        second_(kHidden * kHidden) {
    const double gain = kLowGain * std::pow(kHighGain / kLowGain, random.uniform());
    for (size_t i = 0; i < first_.size(); ++i) {
      first_[i] = 2.0 * gain * relevance_[i / kHidden] * random.normal();
    }
    for (double& w : second_) w = random.normal() * 1.5 / std::sqrt(double{kHidden});
    for (double& b : first_bias_) b = random.normal();
    for (double& b : second_bias_) b = 0.3 * random.normal();
  }

  std::span<const double> relevance() const { return relevance_; }

  Hidden hidden(std::span<const float> x) const {
    Hidden h1 = first_bias_;
    for (size_t i = 0; i < inputs_; ++i) {
      const double centred = static_cast<double>(x[i]) - 0.5;
      for (size_t j = 0; j < kHidden; ++j) h1[j] += centred * first_[i * kHidden + j];
    }
    Hidden h2 = second_bias_;
    for (size_t i = 0; i < kHidden; ++i) {
      const double active = std::tanh(h1[i]);
      for (size_t j = 0; j < kHidden; ++j) h2[j] += active * second_[i * kHidden + j];
    }
    for (double& value : h2) value = std::tanh(value);
    return h2;
  }

 private:
  size_t inputs_;
  std::vector<double> relevance_;  // [inputs]
  std::vector<double> first_;      // [inputs][hidden]
  std::vector<double> second_;     // [hidden][hidden]
  Hidden first_bias_, second_bias_;
};

void fill_score(std::span<double> score, const std::vector<Hidden>& hidden, Random& random) {
  Hidden weights;
  for (double& w : weights) w = random.normal();
  for (size_t n = 0; n < score.size(); ++n) {
    score[n] = std::inner_product(weights.begin(), weights.end(), hidden[n].begin(), 0.0);
  }
  standardize(score);
}

}  // namespace

PriorInputs draw_inputs(size_t inputs, size_t count, Random& random) {
  PriorInputs result{inputs, std::vector<float>(inputs * count), std::vector<bool>(inputs)};
  for (size_t column = 0; column < inputs;) {
    const InputKind kind = column > 0 ? draw_kind(inputs - column, random) : InputKind{};
    fill_columns(result, column, kind, random);
    for (size_t i = 0; i < kind.one_hot; ++i) result.coarse[column++] = kind.levels > 0;
  }
  return result;
}

LatentScores draw_scores(const PriorInputs& inputs, size_t scores, double unexplained,
                         Random& random) {
  const RandomNetwork network(inputs, random);
  std::vector<Hidden> hidden(inputs.size());
  for (size_t n = 0; n < inputs.size(); ++n) hidden[n] = network.hidden(inputs.row(n));

  LatentScores result(scores, inputs.size());
  for (size_t s = 0; s < scores; ++s) {
    const std::span<double> score = result.score(s);
    fill_score(score, hidden, random);
    const size_t own = pick_by_weight(network.relevance(), random);
    const double slope = random.uniform(-kStrongestLinear, kStrongestLinear);
    for (size_t n = 0; n < score.size(); ++n) {
      score[n] += slope * (static_cast<double>(inputs.row(n)[own]) - 0.5);
    }
    standardize(score);
    for (double& value : score) value += unexplained * random.normal();
    standardize(score);
  }
  return result;
}

void standardize(std::span<double> values) {
  const auto count = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
  double square = 0;
  for (double& value : values) {
    value -= mean;
    square += value * value;
  }
  const double deviation = std::sqrt(square / count);
  for (double& value : values) value = deviation > 1e-9 ? value / deviation : 0.0;
}

double normal_cdf(double z) {
  return 0.5 * std::erfc(-z / std::numbers::sqrt2);
}

}  // namespace cmbo::curves
