// SPDX-License-Identifier: Apache-2.0
//
// Covariances of Gaussian processes. With r^2 = sum over d of ((x_d - y_d) / l_d)^2,
//
//   RBF          k(x, y) = s exp(-r^2 / 2)
//   Matern 5/2   k(x, y) = s (1 + sqrt(5) r + 5 r^2 / 3) exp(-sqrt(5) r)
//
// s is the variance and l the lengthscales: one for each dimension, or one for all.
#pragma once

#include "gp/linear_algebra.h"

namespace cmbo::gp {

enum class KernelKind { kRbf, kMatern52 };

struct Kernel {
  KernelKind kind = KernelKind::kRbf;
  double variance = 1.0;
  std::vector<double> lengthscales = {1.0};
};

// x [n][D], y [m][D] -> k(x_i, y_j) [n][m].
Matrix kernel_matrix(const Kernel& kernel, const Matrix& x, const Matrix& y);

// k(x_i, x_j) with what its backward pass needs.
struct KernelForward {
  Matrix z;      // x / l
  Matrix k;      // [n][n]
  Matrix slope;  // dk / d(r^2)
};
KernelForward kernel_forward(const Kernel& kernel, const Matrix& x);

struct KernelGradients {
  double variance = 0.0;
  std::vector<double> lengthscales;  // as many as the kernel has
  Matrix x;                          // [n][D]
};
// dk [n][n], symmetric -> gradients.
KernelGradients kernel_backward(const Kernel& kernel, const KernelForward& saved, const Matrix& dk);

}  // namespace cmbo::gp
