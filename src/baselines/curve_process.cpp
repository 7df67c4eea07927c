// SPDX-License-Identifier: Apache-2.0
#include "baselines/curve_process.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/check.h"

namespace cmbo::baselines {

namespace {

double decay(const DecayParameters& p, size_t t, size_t u) {
  return p.scale * std::pow(p.b / (static_cast<double>(t + u) + p.b), p.a);
}

}  // namespace

CurveProcess::CurveProcess(size_t horizon, const DecayParameters& parameters) {
  gp::Matrix covariance(horizon, horizon), sides(horizon, 2);
  for (size_t t = 1; t <= horizon; ++t) {
    for (size_t u = 1; u <= horizon; ++u) covariance(t - 1, u - 1) = decay(parameters, t, u);
    covariance(t - 1, t - 1) += parameters.noise;
    sides(t - 1, 0) = 1.0;
    sides(t - 1, 1) = decay(parameters, t, horizon);
  }
  std::optional<gp::Factor> factor = gp::factorize(covariance);
  CHECK(factor.has_value(), "a decay kernel is positive definite");
  L_ = std::move(factor->L);
  gp::solve_lower(L_, sides);
  for (size_t t = 0; t < horizon; ++t) {
    ones_.push_back(sides(t, 0));
    last_.push_back(sides(t, 1));
  }
  last_variance_ = decay(parameters, horizon, horizon);
}

std::vector<double> CurveProcess::whiten(std::span<const float> curve) const {
  std::vector<double> v;
  for (size_t t = 0; t < curve.size(); ++t) {
    const double sum = gp::dot(L_.row(t).first(t), v);
    v.push_back((static_cast<double>(curve[t]) - sum) / L_(t, t));
  }
  return v;
}

AsymptoteEvidence CurveProcess::evidence(std::span<const float> curve) const {
  CHECK(!curve.empty(), "a curve without epochs says nothing");
  const std::vector<double> v = whiten(curve);
  const auto ones = std::span(ones_).first(v.size());
  const double precision = gp::dot(ones, ones);
  AsymptoteEvidence evidence{gp::dot(ones, v) / precision, 1.0 / precision, 0.0};
  double squares = 0.0, log_determinant = 0.0;
  for (size_t t = 0; t < v.size(); ++t) {
    const double residual = v[t] - evidence.value * ones[t];
    squares += residual * residual;
    log_determinant += 2.0 * std::log(L_(t, t));
  }
  // log N(y; f 1, K) at f = value, without the peak log N(value; value, variance).
  const double constant = static_cast<double>(v.size() - 1) * std::log(2.0 * std::numbers::pi);
  evidence.log_density = -0.5 * (squares + log_determinant + std::log(precision) + constant);
  return evidence;
}

CurveProcess::Normal CurveProcess::last_value(std::span<const float> curve,
                                              Normal asymptote) const {
  const std::vector<double> v = whiten(curve);
  const auto ones = std::span(ones_).first(v.size()), last = std::span(last_).first(v.size());
  const double share = 1.0 - gp::dot(last, ones);  // of the asymptote
  return {gp::dot(last, v) + share * asymptote.mean,
          std::max(0.0, last_variance_ - gp::dot(last, last)) + share * share * asymptote.variance};
}

}  // namespace cmbo::baselines
