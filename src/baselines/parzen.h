// SPDX-License-Identifier: Apache-2.0
//
// A kernel density over [0,1]^d, with a product of Gaussians at every point:
//
//   p(x) = 1/N sum_n prod_i N(x_i; m_ni, h_i^2),  h_i = max(1.06 sigma_i N^(-1/(4+d)), least)
//
// sigma_i being the standard deviation of coordinate i (the "normal reference" rule).
#pragma once

#include <cstddef>
#include <vector>

#include "base/random.h"

namespace cmbo::baselines {

class ParzenDensity {
 public:
  using Vector = std::vector<double>;

  // At least one point; all of the same length.
  ParzenDensity(std::vector<Vector> points, double least_bandwidth);

  double operator()(const Vector& x) const;
  // From the kernel of a random point, `widened` times as wide, cut off at 0 and 1.
  Vector draw(double widened, Random& random) const;

  const Vector& bandwidths() const { return bandwidths_; }

 private:
  std::vector<Vector> points_;
  Vector bandwidths_;
};

}  // namespace cmbo::baselines
