// SPDX-License-Identifier: Apache-2.0
//
// The learning curves of freezethaw.h: every curve is its asymptote f plus a Gaussian process over
// epochs with the exponential-decay kernel,
//
//   y(t) = f + e(t),  cov(e(t), e(t')) = s (b / (t + t' + b))^a + noise [t = t']
//
// Curves are observed from epoch 1 on without gaps, so the factors of all lengths are the leading
// parts of one of T epochs.
#pragma once

#include "gp/linear_algebra.h"

namespace cmbo::baselines {

struct DecayParameters {
  double a = 1.0;
  double b = 1.0;       // epochs
  double scale = 0.1;   // s
  double noise = 1e-4;  // a variance
};

// What a curve's first epochs say of its asymptote alone: a normal N(value, variance), times what
// they say whatever the asymptote.
struct AsymptoteEvidence {
  double value = 0.0;
  double variance = 0.0;
  double log_density = 0.0;  // log p(y) = log_density + log N(value; f, variance)
};

class CurveProcess {
 public:
  // All parameters > 0.
  CurveProcess(size_t horizon, const DecayParameters& parameters);

  // At least one epoch.
  AsymptoteEvidence evidence(std::span<const float> curve) const;

  struct Normal {
    double mean = 0.0;
    double variance = 0.0;
  };
  // The noiseless value at the last epoch of a curve that was seen so far (maybe not at all), where
  // f ~ `asymptote` given all curves, this one included.
  Normal last_value(std::span<const float> curve, Normal asymptote) const;

 private:
  std::vector<double> whiten(std::span<const float> curve) const;  // L^-1 y

  gp::Matrix L_;              // [T][T] the factor of the covariance of e
  std::vector<double> ones_;  // L^-1 1
  std::vector<double> last_;  // L^-1 cov(e, e(T) without noise)
  double last_variance_ = 0.0;
};

}  // namespace cmbo::baselines
