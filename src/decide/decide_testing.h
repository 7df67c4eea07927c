// SPDX-License-Identifier: Apache-2.0
//
// For tests: pools, and futures written down or drawn.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "base/random.h"
#include "curves/curve_table.h"
#include "decide/cmbo_policy.h"
#include "forecast/samples.h"

namespace cmbo::decide {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

inline curves::CurveTable make_pool(size_t configurations, size_t horizon) {
  curves::CurveTable pool;
  pool.horizon = horizon;
  for (size_t n = 0; n < configurations; ++n) (void)pool.add(0);
  return pool;
}

// The futures of one configuration: [S][T - length].
using Curves = std::vector<std::vector<float>>;

inline forecast::Samples make_samples(size_t horizon) {
  forecast::Samples samples;
  samples.horizon = horizon;
  return samples;
}

// One more asked configuration.
inline void add_future(forecast::Samples& samples, uint32_t configuration, const Curves& curves) {
  const size_t length = samples.horizon - curves[0].size();
  samples.count = curves.size();
  samples.asked.push_back(configuration);
  samples.lengths.push_back(static_cast<uint32_t>(length));
  for (size_t epoch = 1; epoch <= samples.horizon; ++epoch) {
    for (const std::vector<float>& curve : curves) {
      samples.values.push_back(epoch <= length ? std::nanf("") : curve[epoch - length - 1]);
    }
  }
}

// An extrapolator that has one fixed set of whole curves per configuration, [N][S][T], and answers
// with their ends, whatever was observed.
inline Extrapolator fixed_futures(std::vector<Curves> futures) {
  return
      [futures = std::move(futures)](const curves::CurveTable& history,
                                     std::span<const uint32_t> asked) -> Result<forecast::Samples> {
        forecast::Samples samples;
        samples.horizon = history.horizon;
        for (const uint32_t n : asked) {
          Curves ends = futures[n];
          for (std::vector<float>& curve : ends) {
            curve.erase(curve.begin(), curve.begin() + history.lengths[n]);
          }
          add_future(samples, n, ends);
        }
        return samples;
      };
}

// Random walks upwards and downwards within [0,1].
inline Curves draw_curves(size_t count, size_t epochs, Random& random) {
  Curves curves(count);
  for (std::vector<float>& curve : curves) {
    double y = random.uniform();
    for (size_t epoch = 0; epoch < epochs; ++epoch) {
      y = std::min(1.0, std::max(0.0, y + 0.1 * (random.uniform() - 0.4)));
      curve.push_back(static_cast<float>(y));
    }
  }
  return curves;
}

}  // namespace cmbo::decide
