// SPDX-License-Identifier: Apache-2.0
#include "network/laplace.h"

#include <algorithm>
#include <cmath>

namespace cmbo::network {
namespace {

// One side: its probability, its scale s, and its length in units of s; in double, for the mass
// 1 - e^-length cancels where s is large.
struct Side {
  double probability, scale, length;

  double mass() const { return -std::expm1(-length); }
  // The share of the side that lies within `distance` (in y) of the center.
  double within(double distance) const { return std::expm1(-distance / scale) / -mass(); }
  // The inverse of within() for a share in [0,1].
  double distance(double share) const { return -scale * std::log1p(-share * mass()); }
  double mean_distance() const { return scale * (1 - length * std::exp(-length) / mass()); }
};

Side below(const Laplace& laplace) {
  const double s = static_cast<double>(laplace.scale_below);
  return {laplace.probability_below(), s, static_cast<double>(laplace.center) / s};
}

Side above(const Laplace& laplace) {
  const double s = static_cast<double>(laplace.scale_above);
  return {1 - laplace.probability_below(), s, (1 - static_cast<double>(laplace.center)) / s};
}

Side side_of(const Laplace& laplace, float y) {
  return laplace.is_below(y) ? below(laplace) : above(laplace);
}

double distance_in_scales(const Laplace& laplace, const Side& side, float y) {
  const double inside = std::clamp(static_cast<double>(y), 0.0, 1.0);
  return std::abs(inside - static_cast<double>(laplace.center)) / side.scale;
}

}  // namespace

bool Laplace::is_below(float y) const {
  return center > 0 && (y < center || center >= 1);
}

double Laplace::probability_below() const {
  if (center <= 0) return 0;
  return center >= 1 ? 1 : static_cast<double>(share_below);
}

float Laplace::log_density(float y) const {
  const Side side = side_of(*this, y);
  const double distance = distance_in_scales(*this, side, y);
  return static_cast<float>(std::log(side.probability / (side.scale * side.mass())) - distance);
}

// d(-|y-m|/s) = |y-m|/s,  d(-log s) = -1,  d(-log(1 - e^-a)) = a e^-a / (1 - e^-a), a the length.
float Laplace::log_density_by_log_scale(float y) const {
  const Side side = side_of(*this, y);
  const double cut = side.length * std::exp(-side.length) / side.mass();
  return static_cast<float>(distance_in_scales(*this, side, y) - 1 + cut);
}

float Laplace::cdf(float y) const {
  return static_cast<float>(cdf(static_cast<double>(y)));
}

double Laplace::cdf(double y) const {
  const double inside = std::clamp(y, 0.0, 1.0), m = static_cast<double>(center);
  if (inside < m) {
    const Side side = below(*this);
    return side.probability * (1 - side.within(m - inside));
  }
  const double left = probability_below();
  return left < 1 ? left + (1 - left) * above(*this).within(inside - m) : 1;
}

float Laplace::quantile(float level) const {
  if (level <= 0) return 0;
  if (level >= 1) return 1;
  const double u = static_cast<double>(level), m = static_cast<double>(center);
  const double left = probability_below();
  const double y = u < left ? m - below(*this).distance(1 - u / left)
                            : m + above(*this).distance((u - left) / (1 - left));
  return static_cast<float>(std::clamp(y, 0.0, 1.0));
}

float Laplace::mean() const {
  const double left = probability_below();
  double mean = static_cast<double>(center);
  if (left > 0) mean -= left * below(*this).mean_distance();
  if (left < 1) mean += (1 - left) * above(*this).mean_distance();
  return static_cast<float>(mean);
}

}  // namespace cmbo::network
