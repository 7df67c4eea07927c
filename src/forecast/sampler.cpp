// SPDX-License-Identifier: Apache-2.0
#include "forecast/sampler.h"

#include <utility>

namespace cmbo::forecast {

namespace {

constexpr size_t kAveraged = 5;  // draws, in the paper

// A sampled value is the mean of the quantiles at the curve's places in all of these.
std::vector<network::CurveRanks> draw_ranks(const network::Copula& copula, size_t epochs,
                                            const SamplingOptions& options) {
  const bool independent = options.sampling == Sampling::kIndependent;
  // A vanishing length forgets everything from one epoch to the next.
  const network::Copula drawn = independent ? network::Copula{.length = 1e-9} : copula;
  std::vector<network::CurveRanks> ranks;
  for (size_t i = 0; i < (independent ? kAveraged : 1); ++i) {
    ranks.emplace_back(drawn, epochs, options.count, options.seed + i);
  }
  return ranks;
}

// Puts the quantiles of one epoch into the order of the curves.
void reorder(std::span<float> values, std::span<const network::CurveRanks> ranks, size_t ahead,
             std::vector<float>& quantiles) {
  const size_t S = values.size();
  quantiles.assign(values.begin(), values.end());
  const auto first = ranks[0].at(ahead);
  for (size_t s = 0; s < S; ++s) values[s] = quantiles[first[s]];
  if (ranks.size() == 1) return;
  for (const network::CurveRanks& more : ranks.subspan(1)) {
    const auto places = more.at(ahead);
    for (size_t s = 0; s < S; ++s) values[s] += quantiles[places[s]];
  }
  for (float& value : values) value /= static_cast<float>(ranks.size());
}

}  // namespace

std::optional<Sampling> sampling_of(std::string_view name) {
  if (name == "copula") return Sampling::kCopula;
  if (name == "comonotone") return Sampling::kComonotone;
  if (name == "independent") return Sampling::kIndependent;
  return std::nullopt;
}

Samples sample(const network::Model& model, const curves::CurveTable& history,
               std::span<const uint32_t> asked, const SamplingOptions& options, ThreadPool& pool) {
  Forecast quantiles = forecast(model, history, asked, even_levels(options.count), pool);
  Samples samples{.horizon = quantiles.horizon,
                  .count = options.count,
                  .asked = std::move(quantiles.asked),
                  .lengths = std::move(quantiles.lengths),
                  .values = std::move(quantiles.values)};
  if (options.sampling == Sampling::kComonotone) return samples;
  const size_t T = samples.horizon, S = samples.count;
  const std::vector<network::CurveRanks> ranks = draw_ranks(model.copula(), T, options);
  pool.parallel_for(asked.size(), [&](size_t q) {
    thread_local std::vector<float> scratch;
    for (size_t epoch = samples.lengths[q] + 1; epoch <= T; ++epoch) {
      reorder(std::span(samples.values).subspan((q * T + epoch - 1) * S, S), ranks,
              epoch - samples.lengths[q], scratch);
    }
  });
  return samples;
}

}  // namespace cmbo::forecast
