// SPDX-License-Identifier: Apache-2.0
#include "gp/kernel.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"

namespace cmbo::gp {

namespace {

struct KernelValue {
  double k, slope;
};

KernelValue kernel_value(KernelKind kind, double variance, double r2) {
  if (kind == KernelKind::kRbf) {
    const double k = variance * std::exp(-0.5 * r2);
    return {k, -0.5 * k};
  }
  const double a = std::sqrt(5.0 * r2), e = variance * std::exp(-a);
  return {e * (1.0 + a + a * a / 3.0), -5.0 / 6.0 * e * (1.0 + a)};
}

Matrix scaled(const Kernel& kernel, const Matrix& x) {
  const std::vector<double>& l = kernel.lengthscales;
  CHECK(l.size() == 1 || l.size() == x.columns, "one lengthscale for all dimensions or for each");
  Matrix z = x;
  for (size_t i = 0; i < x.rows; ++i) {
    for (size_t d = 0; d < x.columns; ++d) z(i, d) /= l[l.size() == 1 ? 0 : d];
  }
  return z;
}

std::vector<double> squared_norms(const Matrix& z) {
  std::vector<double> norms;
  for (size_t i = 0; i < z.rows; ++i) norms.push_back(dot(z.row(i), z.row(i)));
  return norms;
}

// |a|^2 + |b|^2 - 2ab; below zero only by rounding.
double squared_distance(double norm_a, double norm_b, double product_ab) {
  return std::max(0.0, norm_a + norm_b - 2.0 * product_ab);
}

}  // namespace

Matrix kernel_matrix(const Kernel& kernel, const Matrix& x, const Matrix& y) {
  const Matrix zx = scaled(kernel, x), zy = scaled(kernel, y);
  const std::vector<double> nx = squared_norms(zx), ny = squared_norms(zy);
  Matrix k = product_transposed(zx, zy);
  for (size_t i = 0; i < k.rows; ++i) {
    const std::span<double> row = k.row(i);
    for (size_t j = 0; j < k.columns; ++j) {
      row[j] = kernel_value(kernel.kind, kernel.variance, squared_distance(nx[i], ny[j], row[j])).k;
    }
  }
  return k;
}

KernelForward kernel_forward(const Kernel& kernel, const Matrix& x) {
  KernelForward out{scaled(kernel, x), {}, Matrix(x.rows, x.rows)};
  const std::vector<double> norms = squared_norms(out.z);
  out.k = product_transposed(out.z, out.z);
  for (size_t i = 0; i < x.rows; ++i) {
    for (size_t j = 0; j < i; ++j) {
      const KernelValue value = kernel_value(kernel.kind, kernel.variance,
                                             squared_distance(norms[i], norms[j], out.k(i, j)));
      out.k(i, j) = out.k(j, i) = value.k;
      out.slope(i, j) = out.slope(j, i) = value.slope;
    }
    const KernelValue value = kernel_value(kernel.kind, kernel.variance, 0.0);
    out.k(i, i) = value.k;
    out.slope(i, i) = value.slope;
  }
  return out;
}

// With g = dk * slope: dz_i = 4 sum over j of g_ij (z_i - z_j), as every pair stands in k twice,
// and dl_d = -(1 / l_d) sum over i of z_id dz_id.
KernelGradients kernel_backward(const Kernel& kernel, const KernelForward& saved,
                                const Matrix& dk) {
  const size_t n = saved.k.rows, dimensions = saved.z.columns;
  const std::vector<double>& l = kernel.lengthscales;
  KernelGradients gradients{0.0, std::vector<double>(l.size(), 0.0), {}};
  gradients.variance = dot(dk.values, saved.k.values) / kernel.variance;
  Matrix g(n, n);
  for (size_t i = 0; i < g.values.size(); ++i) g.values[i] = dk.values[i] * saved.slope.values[i];
  gradients.x = product(g, saved.z);
  for (size_t i = 0; i < n; ++i) {
    double sum = 0.0;
    for (const double value : g.row(i)) sum += value;
    for (size_t d = 0; d < dimensions; ++d) {
      const size_t which = l.size() == 1 ? 0 : d;
      const double z = saved.z(i, d), dz = 4.0 * (sum * z - gradients.x(i, d));
      gradients.lengthscales[which] -= z * dz / l[which];
      gradients.x(i, d) = dz / l[which];
    }
  }
  return gradients;
}

}  // namespace cmbo::gp
