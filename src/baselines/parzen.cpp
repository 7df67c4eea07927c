// SPDX-License-Identifier: Apache-2.0
#include "baselines/parzen.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "base/check.h"

namespace cmbo::baselines {

namespace {

using Vector = ParzenDensity::Vector;

double standard_deviation(const std::vector<Vector>& points, size_t i) {
  const auto count = static_cast<double>(points.size());
  double mean = 0.0, variance = 0.0;
  for (const Vector& point : points) mean += point[i] / count;
  for (const Vector& point : points) variance += (point[i] - mean) * (point[i] - mean) / count;
  return std::sqrt(variance);
}

// The centre is in [0,1], so a draw within is never rare.
double draw_within_unit(double center, double width, Random& random) {
  for (;;) {
    const double x = center + width * random.normal();
    if (x >= 0.0 && x <= 1.0) return x;
  }
}

}  // namespace

ParzenDensity::ParzenDensity(std::vector<Vector> points, double least_bandwidth)
    : points_(std::move(points)) {
  CHECK(!points_.empty(), "a density needs a point");
  const size_t d = points_[0].size();
  const double shrink =
      std::pow(static_cast<double>(points_.size()), -1.0 / (4.0 + static_cast<double>(d)));
  for (size_t i = 0; i < d; ++i) {
    bandwidths_.push_back(
        std::max(1.06 * standard_deviation(points_, i) * shrink, least_bandwidth));
  }
}

double ParzenDensity::operator()(const Vector& x) const {
  double sum = 0.0, scale = 1.0;
  for (const Vector& point : points_) {
    double exponent = 0.0;
    for (size_t i = 0; i < x.size(); ++i) {
      const double z = (x[i] - point[i]) / bandwidths_[i];
      exponent -= 0.5 * z * z;
    }
    sum += std::exp(exponent);
  }
  for (const double h : bandwidths_) scale *= h * std::sqrt(2.0 * std::numbers::pi);
  return sum / (scale * static_cast<double>(points_.size()));
}

Vector ParzenDensity::draw(double widened, Random& random) const {
  Vector x = points_[random.index(points_.size())];
  for (size_t i = 0; i < x.size(); ++i) {
    x[i] = draw_within_unit(x[i], widened * bandwidths_[i], random);
  }
  return x;
}

}  // namespace cmbo::baselines
