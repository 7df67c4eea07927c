// SPDX-License-Identifier: Apache-2.0
#include "forecast/forecaster.h"

#include <algorithm>
#include <limits>

namespace cmbo::forecast {

namespace {

// How many epochs after the last observation the network is asked for: all of the next ten, then
// ever fewer. Between two of them a forecast is so smooth that a straight line is as good, and the
// cost grows with the logarithm of the horizon only.
std::vector<uint32_t> decoded_distances(uint32_t left) {
  std::vector<uint32_t> distances;
  for (uint32_t ahead = 1; ahead < left; ahead += std::max(1U, ahead / 5)) {
    distances.push_back(ahead);
  }
  if (left > 0) distances.push_back(left);
  return distances;
}

// Of the epochs to come of one curve; the same number for every curve, the last one repeated.
void add_epochs(std::span<const uint32_t> distances, uint32_t length, size_t horizon,
                std::vector<uint32_t>& epochs) {
  for (const uint32_t ahead : distances) {
    epochs.push_back(std::min(length + ahead, static_cast<uint32_t>(horizon)));
  }
}

// For these epochs after the last observation.
network::Question question_of(const network::Model& model, const curves::CurveTable& history,
                              std::span<const uint32_t> asked,
                              std::span<const uint32_t> distances) {
  network::Question question;
  question.observed = history;
  for (uint32_t row = 0; row < history.size(); ++row) {
    if (history.lengths[row] > 0) question.context.push_back(row);
  }
  question.hints = model.records().hints(question.observed, question.context);
  question.asked.assign(asked.begin(), asked.end());
  question.epochs_each = distances.size();
  for (const uint32_t row : asked) {
    add_epochs(distances, history.lengths[row], history.horizon, question.epochs);
  }
  return question;
}

// Of the row that has most of them.
uint32_t epochs_left(const curves::CurveTable& history, std::span<const uint32_t> asked) {
  uint32_t shortest = static_cast<uint32_t>(history.horizon);
  for (const uint32_t row : asked) shortest = std::min(shortest, history.lengths[row]);
  return static_cast<uint32_t>(history.horizon) - shortest;
}

// Fills the epochs of one curve that lie between those in `known`, ascending; values are [T][S].
void fill_between(std::span<const uint32_t> known, size_t S, float* values) {
  for (size_t i = 1; i < known.size(); ++i) {
    const size_t apart = known[i] - known[i - 1];
    const float* const before = values + (known[i - 1] - 1) * S;
    const float* const after = before + apart * S;
    for (size_t e = 1; e < apart; ++e) {
      const float share = static_cast<float>(e) / static_cast<float>(apart);
      float* const out = values + (known[i - 1] - 1 + e) * S;
      for (size_t s = 0; s < S; ++s) out[s] = before[s] + share * (after[s] - before[s]);
    }
  }
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
  const network::Question question =
      question_of(model, history, asked, decoded_distances(epochs_left(history, asked)));
  const size_t E = question.epochs_each;
  model.network().answer(
      model.weights().data(), question, pool, [&](const network::AnswerBlock& block) {
        for (size_t i = 0; i < block.count; ++i) {
          const size_t at = block.first + i, q = at / E, epoch = question.epochs[at];
          const size_t before = at % E == 0 ? result.lengths[q] : question.epochs[at - 1];
          if (epoch == before) continue;  // the last epoch once more
          block.distribution(model.bars(), i)
              .quantiles(levels, std::span(result.values).subspan((q * T + epoch - 1) * S, S));
        }
      });
  pool.parallel_for(asked.size(), [&](size_t q) {
    fill_between(std::span(question.epochs).subspan(q * E, E), S, result.values.data() + q * T * S);
  });
  return result;
}

std::vector<float> forecast_epoch(const network::Model& model, const EpochQuestion& asked,
                                  std::span<const float> levels, ThreadPool& pool) {
  const size_t S = levels.size();
  std::vector<float> values(asked.asked.size() * S);
  const std::vector<uint32_t> distances = {asked.ahead};
  model.network().answer(
      model.weights().data(), question_of(model, asked.history, asked.asked, distances), pool,
      [&](const network::AnswerBlock& block) {
        for (size_t i = 0; i < block.count; ++i) {
          block.distribution(model.bars(), i)
              .quantiles(levels, std::span(values).subspan((block.first + i) * S, S));
        }
      });
  return values;
}

}  // namespace cmbo::forecast
