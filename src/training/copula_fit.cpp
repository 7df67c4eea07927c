// SPDX-License-Identifier: Apache-2.0
#include "training/copula_fit.h"

#include <algorithm>
#include <boost/math/special_functions/erf.hpp>
#include <numbers>
#include <utility>

namespace cmbo::training {

namespace {

// Beyond it the forecast was simply wrong; one such value must not outweigh all others.
constexpr double kLeastLevel = 1e-3;

double normal_quantile(double level) {
  const double p = std::clamp(level, kLeastLevel, 1.0 - kLeastLevel);
  return -std::numbers::sqrt2 * boost::math::erfc_inv(2.0 * p);
}

// The scores of one asked row, in the order of epochs, each epoch once.
network::CurveScores in_order(std::vector<std::pair<uint32_t, double>> scored) {
  std::sort(scored.begin(), scored.end());
  network::CurveScores curve;
  for (const auto& [ahead, z] : scored) {
    if (!curve.ahead.empty() && curve.ahead.back() == ahead) continue;
    curve.ahead.push_back(ahead);
    curve.z.push_back(z);
  }
  return curve;
}

}  // namespace

std::vector<network::CurveScores> normal_scores(const network::Network& network,
                                                const network::Bars& bars,
                                                std::span<const float> weights,
                                                std::span<const Example> examples,
                                                ThreadPool& pool) {
  std::vector<network::CurveScores> curves;
  for (const Example& example : examples) {
    const network::Question& question = example.question;
    std::vector<double> z(question.answers());
    network.answer(weights.data(), question, pool, [&](const network::AnswerBlock& block) {
      for (size_t i = 0; i < block.count; ++i) {
        const size_t at = block.first + i;
        z[at] = normal_quantile(block.distribution(bars, i).cdf(example.targets.values[at]));
      }
    });
    for (size_t q = 0; q < question.asked.size(); ++q) {
      std::vector<std::pair<uint32_t, double>> scored;
      for (size_t e = 0; e < question.epochs_each; ++e) {
        const size_t at = q * question.epochs_each + e;
        scored.emplace_back(question.epochs[at] - question.observed.lengths[question.asked[q]],
                            z[at]);
      }
      curves.push_back(in_order(std::move(scored)));
    }
  }
  return curves;
}

}  // namespace cmbo::training
