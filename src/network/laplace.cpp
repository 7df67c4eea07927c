// SPDX-License-Identifier: Apache-2.0
#include "network/laplace.h"

#include <algorithm>
#include <cmath>

namespace cmbo::network {
namespace {

// m and s, and the two sides in units of s; in double, for 2 Z cancels where s is large.
struct Sides {
  explicit Sides(const Laplace& laplace)
      : m(static_cast<double>(laplace.center)),
        s(static_cast<double>(laplace.scale)),
        left(m / s),
        right((1 - m) / s),
        twice_z(-std::expm1(-left) - std::expm1(-right)) {}

  double m, s, left, right;
  double twice_z;  // 2 Z = 2 - e^-left - e^-right
};

double clamp_to_unit(float y) {
  return std::clamp(static_cast<double>(y), 0.0, 1.0);
}

double inside_quantile(const Sides& sides, double level) {
  const double at_center = -std::expm1(-sides.left) / sides.twice_z;
  if (level <= at_center) {
    const double tail = std::exp(-sides.left) + sides.twice_z * level;
    return std::clamp(sides.m + sides.s * std::log(tail), 0.0, sides.m);
  }
  const double tail = std::exp(-sides.right) + sides.twice_z * (1 - level);
  return std::clamp(sides.m - sides.s * std::log(tail), sides.m, 1.0);
}

}  // namespace

float Laplace::log_density(float y) const {
  const Sides sides(*this);
  const double distance = std::abs(clamp_to_unit(y) - sides.m) / sides.s;
  return static_cast<float>(-distance - std::log(sides.s * sides.twice_z));
}

// d(-|y-m|/s) = |y-m|/s,  d(-log s) = -1,  d(-log 2Z) = (a e^-a + b e^-b) / 2Z for the sides a, b.
float Laplace::log_density_by_log_scale(float y) const {
  const Sides sides(*this);
  const double distance = std::abs(clamp_to_unit(y) - sides.m) / sides.s;
  const double cut = sides.left * std::exp(-sides.left) + sides.right * std::exp(-sides.right);
  return static_cast<float>(distance - 1 + cut / sides.twice_z);
}

float Laplace::cdf(float y) const {
  return static_cast<float>(cdf(static_cast<double>(y)));
}

double Laplace::cdf(double y) const {
  const Sides sides(*this);
  const double inside = std::clamp(y, 0.0, 1.0);
  const double near = std::exp(-std::abs(inside - sides.m) / sides.s) / sides.twice_z;
  if (inside <= sides.m) return -near * std::expm1(-inside / sides.s);
  return 1 + near * std::expm1(-(1 - inside) / sides.s);
}

float Laplace::quantile(float level) const {
  if (level <= 0) return 0;
  if (level >= 1) return 1;
  return static_cast<float>(inside_quantile(Sides(*this), static_cast<double>(level)));
}

// m + (the mean distance to the right) - (the one to the left), both times their mass.
float Laplace::mean() const {
  const Sides sides(*this);
  const double left = std::exp(-sides.left) * (1 + sides.left);
  const double right = std::exp(-sides.right) * (1 + sides.right);
  return static_cast<float>(sides.m + sides.s * (left - right) / sides.twice_z);
}

}  // namespace cmbo::network
