// SPDX-License-Identifier: Apache-2.0
//
// Partial curves of a task in, distributions over their future out.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/thread_pool.h"
#include "curves/curve_table.h"
#include "network/model.h"

namespace cmbo::forecast {

// Quantiles of asked configurations, in normalized units.
struct Forecast {
  size_t horizon = 0;             // T
  std::vector<float> levels;      // [S] ascending in (0,1)
  std::vector<uint32_t> asked;    // [Q] rows of the history
  std::vector<uint32_t> lengths;  // [Q] observed epochs of each
  std::vector<float> values;      // [Q][T][S]; NaN at epochs that were observed

  // The quantiles of epoch 1..T of the asked configuration q.
  std::span<const float> at(size_t q, size_t epoch) const {
    return std::span(values).subspan((q * horizon + epoch - 1) * levels.size(), levels.size());
  }
};

// S levels (i + 1/2) / S: each stands for the same share of the probability.
std::vector<float> even_levels(size_t count);

// The future of the rows `asked` of `history`, whose lengths say what was observed. The dimensions
// of the history must not exceed the model's. Independent of threads, and of who else is asked. The
// next ten epochs and some of the later ones come from the network, the others lie on straight
// lines between them.
Forecast forecast(const network::Model& model, const curves::CurveTable& history,
                  std::span<const uint32_t> asked, std::span<const float> levels, ThreadPool& pool);

// One epoch of each of the rows `asked` of `history`: so many after the last that was observed, at
// most the last one of all.
struct EpochQuestion {
  const curves::CurveTable& history;
  std::span<const uint32_t> asked;
  uint32_t ahead = 1;
};
// Its quantiles [Q][S], from the network; otherwise as forecast(), at a fraction of the cost.
std::vector<float> forecast_epoch(const network::Model& model, const EpochQuestion& asked,
                                  std::span<const float> levels, ThreadPool& pool);

}  // namespace cmbo::forecast
