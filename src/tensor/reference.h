// SPDX-License-Identifier: Apache-2.0
//
// For tests: the naive twin of every kernel, in double and as close to the formula as can be.
// Nothing here is fast, and nothing outside of *_test.cpp includes it. Backward twins return the
// gradients of their inputs in the order of the forward twin's parameters.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace cmbo::tensor::reference {

using Array = std::vector<double>;
using Arrays = std::vector<Array>;

// y [R][N] = x [R][K] W^T + b, W [N][K].
inline Array linear(size_t K, const Array& x, const Array& W, const Array& b) {
  const size_t N = b.size(), R = x.size() / K;
  Array y(R * N);
  for (size_t r = 0; r < R; ++r) {
    for (size_t n = 0; n < N; ++n) {
      y[r * N + n] = b[n];
      for (size_t k = 0; k < K; ++k) y[r * N + n] += x[r * K + k] * W[n * K + k];
    }
  }
  return y;
}

inline Arrays linear_backward(size_t K, const Array& x, const Array& W, const Array& dy) {
  const size_t N = W.size() / K, R = x.size() / K;
  Array dx(x.size()), dW(W.size()), db(N);
  for (size_t r = 0; r < R; ++r) {
    for (size_t n = 0; n < N; ++n) {
      db[n] += dy[r * N + n];
      for (size_t k = 0; k < K; ++k) {
        dx[r * K + k] += dy[r * N + n] * W[n * K + k];
        dW[n * K + k] += dy[r * N + n] * x[r * K + k];
      }
    }
  }
  return {dx, dW, db};
}

inline double gelu(double x) {
  const double u = std::sqrt(2.0 / M_PI) * (x + 0.044715 * x * x * x);
  return 0.5 * x * (1.0 + std::tanh(u));
}

inline double gelu_derivative(double x) {
  const double u = std::sqrt(2.0 / M_PI) * (x + 0.044715 * x * x * x);
  const double du = std::sqrt(2.0 / M_PI) * (1.0 + 3.0 * 0.044715 * x * x);
  const double t = std::tanh(u);
  return 0.5 * (1.0 + t) + 0.5 * x * (1.0 - t * t) * du;
}

struct Moments {
  double mean, rstd;
};

inline Moments moments(const double* x, size_t N) {
  double mean = 0.0, variance = 0.0;
  for (size_t i = 0; i < N; ++i) mean += x[i] / static_cast<double>(N);
  for (size_t i = 0; i < N; ++i) {
    variance += (x[i] - mean) * (x[i] - mean) / static_cast<double>(N);
  }
  return {mean, 1.0 / std::sqrt(variance + 1e-5)};
}

inline Array layer_norm(const Array& x, const Array& gamma, const Array& beta) {
  const size_t N = gamma.size();
  Array y(x.size());
  for (size_t i = 0; i < x.size(); ++i) {
    const auto [mean, rstd] = moments(&x[i / N * N], N);
    y[i] = gamma[i % N] * (x[i] - mean) * rstd + beta[i % N];
  }
  return y;
}

inline Arrays layer_norm_backward(const Array& x, const Array& gamma, const Array& dy) {
  const size_t N = gamma.size();
  Array dx(x.size()), dgamma(N), dbeta(N);
  for (size_t r = 0; r < x.size() / N; ++r) {
    const auto [mean, rstd] = moments(&x[r * N], N);
    double mean_g = 0.0, mean_gn = 0.0;
    for (size_t i = 0; i < N; ++i) {
      const double n = (x[r * N + i] - mean) * rstd, d = dy[r * N + i];
      mean_g += d * gamma[i] / static_cast<double>(N);
      mean_gn += d * gamma[i] * n / static_cast<double>(N);
      dgamma[i] += d * n;
      dbeta[i] += d;
    }
    for (size_t i = 0; i < N; ++i) {
      const double n = (x[r * N + i] - mean) * rstd;
      dx[r * N + i] = rstd * (dy[r * N + i] * gamma[i] - mean_g - n * mean_gn);
    }
  }
  return {dx, dgamma, dbeta};
}

inline Array softmax(const Array& x, size_t N) {
  Array y(x.size());
  for (size_t r = 0; r < x.size() / N; ++r) {
    const double top = *std::max_element(&x[r * N], &x[r * N] + N);
    double sum = 0.0;
    for (size_t i = 0; i < N; ++i) sum += std::exp(x[r * N + i] - top);
    for (size_t i = 0; i < N; ++i) y[r * N + i] = std::exp(x[r * N + i] - top) / sum;
  }
  return y;
}

inline Array cross_entropy(const Array& logits, size_t N, const std::vector<uint32_t>& targets) {
  Array losses;
  for (size_t r = 0; r < targets.size(); ++r) {
    const double top = *std::max_element(&logits[r * N], &logits[r * N] + N);
    double sum = 0.0;
    for (size_t i = 0; i < N; ++i) sum += std::exp(logits[r * N + i] - top);
    losses.push_back(top + std::log(sum) - logits[r * N + targets[r]]);
  }
  return losses;
}

inline Array cross_entropy_backward(const Array& logits, const std::vector<uint32_t>& targets,
                                    const Array& weights) {
  const size_t N = logits.size() / targets.size();
  Array d = softmax(logits, N);
  for (size_t r = 0; r < targets.size(); ++r) d[r * N + targets[r]] -= 1.0;
  for (size_t i = 0; i < d.size(); ++i) d[i] *= weights[i / N];
  return d;
}

inline Array group_means(size_t N, const std::vector<size_t>& offsets, const Array& x) {
  Array y((offsets.size() - 1) * N);
  for (size_t g = 0; g + 1 < offsets.size(); ++g) {
    const auto count = static_cast<double>(offsets[g + 1] - offsets[g]);
    for (size_t p = offsets[g]; p < offsets[g + 1]; ++p) {
      for (size_t i = 0; i < N; ++i) y[g * N + i] += x[p * N + i] / count;
    }
  }
  return y;
}

inline Array group_means_backward(size_t N, const std::vector<size_t>& offsets, const Array& dy) {
  Array dx(offsets.back() * N);
  for (size_t g = 0; g + 1 < offsets.size(); ++g) {
    const auto count = static_cast<double>(offsets[g + 1] - offsets[g]);
    for (size_t p = offsets[g]; p < offsets[g + 1]; ++p) {
      for (size_t i = 0; i < N; ++i) dx[p * N + i] = dy[g * N + i] / count;
    }
  }
  return dx;
}

}  // namespace cmbo::tensor::reference
