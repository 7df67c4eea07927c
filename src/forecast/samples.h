// SPDX-License-Identifier: Apache-2.0
//
// Sampled futures of configurations: what decisions are made from, whoever extrapolated.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace cmbo::forecast {

// Values are normalized. Sample s of all epochs of a configuration is one possible curve. The same
// s of two configurations comes from the same random numbers.
struct Samples {
  size_t horizon = 0;             // T
  size_t count = 0;               // S, curves of each configuration
  std::vector<uint32_t> asked;    // [Q] rows of the history, ascending
  std::vector<uint32_t> lengths;  // [Q] observed epochs of each, less than T
  std::vector<float> values;      // [Q][T][S]; NaN at epochs that were observed

  // The samples of epoch 1..T of the asked configuration q.
  std::span<const float> at(size_t q, size_t epoch) const {
    return std::span(values).subspan((q * horizon + epoch - 1) * count, count);
  }
};

}  // namespace cmbo::forecast
