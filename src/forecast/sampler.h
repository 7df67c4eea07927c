// SPDX-License-Identifier: Apache-2.0
//
// Samples of the futures of configurations, from a model.
//
// A sample of a curve must be coherent in time: independent draws at every epoch are noise. The
// model's copula says how epochs go together; a comonotone curve has one level at all epochs. The
// levels are an even grid and the same for all configurations: common random numbers.
#pragma once

#include <optional>
#include <string_view>

#include "forecast/forecaster.h"
#include "forecast/samples.h"

namespace cmbo::forecast {

enum class Sampling {
  kCopula,
  kComonotone,
  kIndependent,  // the paper's: no coherence, each value the mean of five draws
};

// "copula", "comonotone" or "independent".
std::optional<Sampling> sampling_of(std::string_view name);

struct SamplingOptions {
  Sampling sampling = Sampling::kComonotone;  // better calibrated than the copula: docs/results.md
  // S, curves of each configuration. Searches live on rare large gains: with 64, the best hundredth
  // of a forecast is a single curve, and one search stopped before its best (docs/experiments.md).
  size_t count = 128;
  uint64_t seed = 1;
};

// As forecast() in forecaster.h; every asked row has epochs left.
Samples sample(const network::Model& model, const curves::CurveTable& history,
               std::span<const uint32_t> asked, const SamplingOptions& options, ThreadPool& pool);

}  // namespace cmbo::forecast
