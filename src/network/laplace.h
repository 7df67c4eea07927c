// SPDX-License-Identifier: Apache-2.0
//
// Two exponential tails back to back, each with a scale of its own (an asymmetric Laplace
// distribution), around m and cut off outside of [0,1]:
//
//   f(y) = w e^(-(m - y) / l) / (l (1 - e^(-m / l)))              for y < m
//   f(y) = (1 - w) e^(-(y - m) / r) / (r (1 - e^(-(1-m) / r)))    for y >= m
//
// for m and w in [0,1] and l, r > 0. There is nothing below m = 0 nor above m = 1, so there w
// counts as 0 and as 1. Values outside of [0,1] count as the nearest end. Good for scales from 1e-5
// to 10 at least; computed in double.
#pragma once

namespace cmbo::network {

struct Laplace {
  float center;       // m
  float share_below;  // w
  float scale_below;  // l
  float scale_above;  // r

  // Whether y is on the side below m. At m itself it is not, unless there is no other side.
  bool is_below(float y) const;
  // The probability of the side below m.
  double probability_below() const;

  float log_density(float y) const;
  // The derivative of log_density(y) by the logarithm of the scale on y's side.
  float log_density_by_log_scale(float y) const;
  float cdf(float y) const;
  double cdf(double y) const;
  // The inverse of cdf on [0,1].
  float quantile(float level) const;
  float mean() const;
};

}  // namespace cmbo::network
