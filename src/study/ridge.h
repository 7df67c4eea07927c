// SPDX-License-Identifier: Apache-2.0
//
// Linear regression with a penalty on the weights: for guesses from few examples.
#pragma once

#include <span>
#include <vector>

namespace cmbo::study {

// y = intercept + w . (x - mean), w = argmin |y - ...|^2 + penalty |w|^2.
class Ridge {
 public:
  // `rows`: [n][d] one after the other, n = targets.size() of at least 1; `penalty` above 0.
  Ridge(std::span<const double> rows, std::span<const double> targets, double penalty);

  double operator()(std::span<const float> row) const;

 private:
  double intercept_ = 0.0;
  std::vector<double> mean_;     // [d]
  std::vector<double> weights_;  // [d]
};

}  // namespace cmbo::study
