// SPDX-License-Identifier: Apache-2.0
#include "forecast/forecaster.h"

#include <limits>

namespace cmbo::forecast {

namespace {

network::Question question_of(const curves::CurveTable& history, std::span<const uint32_t> asked) {
  network::Question question;
  question.observed = history;
  for (uint32_t row = 0; row < history.size(); ++row) {
    if (history.lengths[row] > 0) question.context.push_back(row);
  }
  question.asked.assign(asked.begin(), asked.end());
  question.epochs_each = history.horizon;
  for (size_t q = 0; q < asked.size(); ++q) {
    for (uint32_t epoch = 1; epoch <= history.horizon; ++epoch) question.epochs.push_back(epoch);
  }
  return question;
}

}  // namespace

std::vector<float> even_levels(size_t count) {
  std::vector<float> levels(count);
  for (size_t i = 0; i < count; ++i) {
    levels[i] = (static_cast<float>(i) + 0.5F) / static_cast<float>(count);
  }
  return levels;
}

Forecast forecast(const network::Model& model, const curves::CurveTable& history,
                  std::span<const uint32_t> asked, std::span<const float> levels,
                  ThreadPool& pool) {
  const size_t T = history.horizon, S = levels.size();
  constexpr float kObserved = std::numeric_limits<float>::quiet_NaN();
  Forecast result;
  result.horizon = T;
  result.levels.assign(levels.begin(), levels.end());
  result.asked.assign(asked.begin(), asked.end());
  for (const uint32_t row : asked) result.lengths.push_back(history.lengths[row]);
  result.values.assign(asked.size() * T * S, kObserved);
  const network::Question question = question_of(history, asked);
  model.network().answer(model.weights().data(), question, pool,
                         [&](const network::AnswerBlock& block) {
                           for (size_t i = 0; i < block.count; ++i) {
                             const size_t at = block.first + i, q = at / T;
                             if (at % T < result.lengths[q]) continue;
                             block.distribution(model.bars(), i)
                                 .quantiles(levels, std::span(result.values).subspan(at * S, S));
                           }
                         });
  return result;
}

}  // namespace cmbo::forecast
