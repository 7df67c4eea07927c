// SPDX-License-Identifier: Apache-2.0
//
// The Laplace distribution around m with scale s, cut off outside of [0,1]:
//
//   f(y) = e^(-|y - m| / s) / (2 s Z),   Z = 1 - e^(-m/s) / 2 - e^(-(1-m)/s) / 2
//
// for m in [0,1] and s > 0; so m = 0, where diverged curves sit, has Z = 1/2. Values outside of
// [0,1] count as the nearest end. Good for s from 1e-5 to 10 at least; computed in double.
#pragma once

namespace cmbo::network {

struct Laplace {
  float center;  // m
  float scale;   // s

  float log_density(float y) const;
  // The derivative of log_density(y) by log s.
  float log_density_by_log_scale(float y) const;
  float cdf(float y) const;
  double cdf(double y) const;
  // The inverse of cdf on [0,1].
  float quantile(float level) const;
  float mean() const;
};

}  // namespace cmbo::network
