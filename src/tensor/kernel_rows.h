// SPDX-License-Identifier: Apache-2.0
//
// Inside of the kernels: what works along the rows of a matrix [R][N]. See kernel_vector.h for the
// rules.
#pragma once

#include "tensor/kernel_elementwise.h"

namespace cmbo::tensor::CMBO_KERNELS {

inline constexpr float kInfinity = __builtin_inff();

// f(i, vector, lanes): folds the vectors x[i..i+lanes) of a row; the last one is filled with
// `fill`.
template <typename F>
CMBO_INLINE void for_each_vector(size_t n, const float* x, float fill, F f) {
  size_t i = 0;
  for (; i + kLanes <= n; i += kLanes) f(i, load(x + i), kLanes);
  if (i < n) f(i, load_part(x + i, n - i, fill), n - i);
}

inline void add_bias(Rows s, const float* bias, float* y) {
  for (size_t r = 0; r < s.R; ++r) add(s.N, y + r * s.N, bias, y + r * s.N);
}

inline void add_bias_gelu(Rows s, const float* bias, float* pre, float* y) {
  for (size_t r = 0; r < s.R; ++r) {
    float* const p = pre + r * s.N;
    float* const out = y + r * s.N;
    for_each_vector(s.N, p, 0.0F, [&](size_t i, Vec v, size_t lanes) {
      const Vec sum = v + load_lanes(bias + i, lanes);
      store_lanes(p + i, sum, lanes);
      store_lanes(out + i, gelu(sum), lanes);
    });
  }
}

inline void add_column_sums(Rows s, const float* x, float* sums) {
  constexpr size_t kWide = 4 * kLanes;
  size_t c = 0;
  for (; c + kWide <= s.N; c += kWide) {
    Vec total[4];
    for (size_t j = 0; j < 4; ++j) total[j] = load(sums + c + j * kLanes);
    for (size_t r = 0; r < s.R; ++r) {
      for (size_t j = 0; j < 4; ++j) total[j] += load(x + r * s.N + c + j * kLanes);
    }
    for (size_t j = 0; j < 4; ++j) store(sums + c + j * kLanes, total[j]);
  }
  for (size_t r = 0; r < s.R && c < s.N; ++r) add(s.N - c, sums + c, x + r * s.N + c, sums + c);
}

inline void layer_norm_forward(Rows s, const float* x, LayerNormWeights weights, float* y,
                               float* stats) {
  constexpr float kEpsilon = 1e-5F;
  const float inverse_n = 1.0F / static_cast<float>(s.N);
  for (size_t r = 0; r < s.R; ++r, x += s.N, y += s.N) {
    Vec sum = splat(0.0F), squares = splat(0.0F);
    for_each_vector(s.N, x, 0.0F, [&](size_t, Vec v, size_t) { sum += v; });
    const float mean = sum_lanes(sum) * inverse_n;
    for_each_vector(s.N, x, mean, [&](size_t, Vec v, size_t) {
      squares += (v - splat(mean)) * (v - splat(mean));
    });
    const float rstd = 1.0F / __builtin_sqrtf(sum_lanes(squares) * inverse_n + kEpsilon);
    for_each_vector(s.N, x, 0.0F, [&](size_t i, Vec v, size_t lanes) {
      const Vec normal = (v - splat(mean)) * splat(rstd);
      const Vec out = normal * load_lanes(weights.gamma + i, lanes);
      store_lanes(y + i, out + load_lanes(weights.beta + i, lanes), lanes);
    });
    if (stats != nullptr) stats[2 * r] = mean;
    if (stats != nullptr) stats[2 * r + 1] = rstd;
  }
}

// With n = (x - mean) rstd and g = dy gamma: dx = rstd (g - mean(g) - n mean(g n)).
inline void layer_norm_backward(Rows s, LayerNormSaved saved, const float* dy, float* dx,
                                LayerNormGradients grads) {
  const float inverse_n = 1.0F / static_cast<float>(s.N);
  const float* const gamma = saved.gamma;
  for (size_t r = 0; r < s.R; ++r, dy += s.N, dx += s.N) {
    const float* const x = saved.x + r * s.N;
    const Vec mean = splat(saved.stats[2 * r]), rstd = splat(saved.stats[2 * r + 1]);
    Vec sum_g = splat(0.0F), sum_gn = splat(0.0F);
    for_each_vector(s.N, dy, 0.0F, [&](size_t i, Vec d, size_t lanes) {
      const Vec n = (load_lanes(x + i, lanes) - mean) * rstd;
      const Vec g = d * load_lanes(gamma + i, lanes);
      sum_g += g;
      sum_gn += g * n;
      store_lanes(grads.dgamma + i, load_lanes(grads.dgamma + i, lanes) + d * n, lanes);
      store_lanes(grads.dbeta + i, load_lanes(grads.dbeta + i, lanes) + d, lanes);
    });
    const Vec mean_g = splat(sum_lanes(sum_g) * inverse_n);
    const Vec mean_gn = splat(sum_lanes(sum_gn) * inverse_n);
    for_each_vector(s.N, dy, 0.0F, [&](size_t i, Vec d, size_t lanes) {
      const Vec n = (load_lanes(x + i, lanes) - mean) * rstd;
      const Vec g = d * load_lanes(gamma + i, lanes);
      store_lanes(dx + i, rstd * (g - mean_g - n * mean_gn), lanes);
    });
  }
}

CMBO_INLINE float row_max(size_t n, const float* x) {
  Vec top = splat(-kInfinity);
  for_each_vector(n, x, -kInfinity, [&](size_t, Vec v, size_t) { top = max(top, v); });
  return max_lanes(top);
}

// y = e^(x - top), returns the sum of y; y may be x.
CMBO_INLINE float exp_row(size_t n, const float* x, float top, float* y) {
  Vec sum = splat(0.0F);
  for_each_vector(n, x, -kInfinity, [&](size_t i, Vec v, size_t lanes) {
    const Vec e = exp(v - splat(top));
    sum += e;
    store_lanes(y + i, e, lanes);
  });
  return sum_lanes(sum);
}

CMBO_INLINE float sum_exp(size_t n, const float* x, float top) {
  Vec sum = splat(0.0F);
  for_each_vector(n, x, -kInfinity, [&](size_t, Vec v, size_t) { sum += exp(v - splat(top)); });
  return sum_lanes(sum);
}

inline void softmax_rows(Rows s, const float* x, float* y) {
  for (size_t r = 0; r < s.R; ++r, x += s.N, y += s.N) {
    const float sum = exp_row(s.N, x, row_max(s.N, x), y);
    scale(s.N, 1.0F / sum, y, y);
  }
}

inline void cross_entropy_forward(Rows s, const float* logits, const uint32_t* targets,
                                  float* losses, float* probabilities) {
  for (size_t r = 0; r < s.R; ++r, logits += s.N) {
    const float top = row_max(s.N, logits);
    const float target = logits[targets[r]];  // before `probabilities`, which may be `logits`
    float* const p = probabilities == nullptr ? nullptr : probabilities + r * s.N;
    const float sum = p == nullptr ? sum_exp(s.N, logits, top) : exp_row(s.N, logits, top, p);
    if (p != nullptr) scale(s.N, 1.0F / sum, p, p);
    losses[r] = __builtin_logf(sum) + (top - target);
  }
}

}  // namespace cmbo::tensor::CMBO_KERNELS
