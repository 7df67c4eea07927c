// SPDX-License-Identifier: Apache-2.0
//
// Regression by a Gaussian process with a constant mean m and Gaussian noise:
//
//   y ~ N(m 1, A),  A = k(x, x) + noise I + diag(extra noise)
//   log p(y) = -1/2 (y - m)^T A^-1 (y - m) - 1/2 log |A| - n/2 log 2 pi
//   f(x*) | y ~ N(m + k*^T A^-1 (y - m),  k** - k*^T A^-1 k*)
#pragma once

#include "gp/kernel.h"

namespace cmbo::gp {

struct Process {
  double mean = 0.0;
  double noise = 1e-4;  // a variance
  Kernel kernel;
};

struct Observations {
  const Matrix& x;  // [n][D], n >= 1
  std::span<const double> y;
  std::span<const double> extra_noise = {};  // variances, one for each observation; none = 0
};

struct LikelihoodGradients {
  double mean = 0.0;
  double noise = 0.0;
  KernelGradients kernel;
};
struct Likelihood {
  double value = 0.0;  // log p(y)
  LikelihoodGradients gradients;
};
// Nothing where A cannot be factorized (linear_algebra.h).
std::optional<Likelihood> log_likelihood(const Process& process, const Observations& observed);

struct Prediction {
  std::vector<double> mean;
  std::vector<double> variance;  // of f, without noise; >= 0
};

// What the observations say of f. Immutable.
class Posterior {
 public:
  static std::optional<Posterior> of(const Process& process, const Observations& observed);

  Prediction operator()(const Matrix& x) const;  // x [m][D]

 private:
  Posterior(Process process, Matrix x, Matrix L)
      : process_(std::move(process)), x_(std::move(x)), L_(std::move(L)) {}

  Process process_;
  Matrix x_;                     // of the observations
  Matrix L_;                     // A = L L^T
  std::vector<double> weights_;  // A^-1 (y - m)
};

// E max(0, v - best) for v ~ N(mean, deviation^2).
double expected_improvement(double mean, double deviation, double best);

}  // namespace cmbo::gp
