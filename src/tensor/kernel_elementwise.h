// SPDX-License-Identifier: Apache-2.0
//
// Inside of the kernels: what treats every element alike. See kernel_vector.h for the rules.
#pragma once

#include "tensor/kernel_vector.h"
#include "tensor/kernels.h"

namespace cmbo::tensor::CMBO_KERNELS {

inline void add(size_t n, const float* a, const float* b, float* y) {
  map(n, a, b, y, [](Vec p, Vec q) { return p + q; });
}

inline void scale_add(size_t n, float factor, const float* x, float* y) {
  map(n, x, y, y, [f = splat(factor)](Vec p, Vec q) { return f * p + q; });
}

inline void scale(size_t n, float factor, const float* x, float* y) {
  map(n, x, y, [f = splat(factor)](Vec v) { return f * v; });
}

inline void exp_values(size_t n, const float* x, float* y) {
  map(n, x, y, [](Vec v) { return exp(v); });
}

// GELU in the tanh form is x s(2u) with the logistic s and u = sqrt(2/pi) (x + 0.044715 x^3),
// because (1 + tanh u)/2 = s(2u); one exp, and no cancellation for negative x.
inline constexpr float kGeluLinear = 1.5957691216F;  // 2 sqrt(2/pi)
inline constexpr float kGeluCubic = 0.044715F;

CMBO_INLINE Vec gelu_logistic(Vec x) {
  const Vec u = splat(kGeluLinear) * x * (splat(kGeluCubic) * x * x + splat(1.0F));
  return splat(1.0F) / (splat(1.0F) + exp(-u));
}

CMBO_INLINE Vec gelu(Vec x) {
  return x * gelu_logistic(x);
}

inline void gelu_forward(size_t n, const float* x, float* y) {
  map(n, x, y, [](Vec v) { return gelu(v); });
}

inline void gelu_backward(size_t n, const float* x, const float* dy, float* dx) {
  map(n, x, dy, dx, [](Vec v, Vec d) {
    const Vec s = gelu_logistic(v);
    const Vec slope = splat(kGeluLinear) * (splat(3.0F * kGeluCubic) * v * v + splat(1.0F));
    return d * (s + v * s * (splat(1.0F) - s) * slope);
  });
}

// A 32-bit hash with two keys: xor-shift and multiply rounds; 24 bits of it are used.
CMBO_INLINE IntVec hash24(const DropoutFactors& f, UintVec counter) {
  UintVec h = counter ^ f.key0;
  h = (h ^ (h >> 16)) * 0x7FEB352DU;
  h = ((h ^ (h >> 15)) + f.key1) * 0x846CA68BU;
  h = (h ^ (h >> 16)) * 0x9E3779B1U;
  return __builtin_convertvector((h ^ (h >> 15)) >> 8, IntVec);
}

inline void dropout(const DropoutFactors& f, size_t n, const float* x, float* y) {
  UintVec counter = lane_numbers() + f.first;
  map(n, x, y, [&](Vec v) {
    const IntVec dropped = hash24(f, counter) < f.threshold;
    counter += static_cast<uint32_t>(kLanes);
    return dropped ? splat(0.0F) : v * splat(f.scale);
  });
}

CMBO_INLINE Vec square_root(Vec x) {
  Vec y;
  for (size_t i = 0; i < kLanes; ++i) y[i] = __builtin_sqrtf(x[i]);
  return y;
}

CMBO_INLINE Vec adamw_update(const AdamWFactors& f, Vec p, Vec g, Vec& m, Vec& v) {
  g = g * splat(f.gradient_scale);
  m = m + splat(1.0F - f.beta1) * (g - m);
  v = v + splat(1.0F - f.beta2) * (g * g - v);
  const Vec root = square_root(v * splat(f.v_scale));
  return p * splat(f.decay) - splat(f.rate) * m / (root + splat(f.epsilon));
}

inline void adamw(const AdamWFactors& f, const AdamWArrays& x) {
  for (size_t i = 0; i < x.n; i += kLanes) {
    const size_t lanes = x.n - i < kLanes ? x.n - i : kLanes;
    Vec m = load_lanes(x.m + i, lanes), v = load_lanes(x.v + i, lanes);
    const Vec g = load_lanes(x.grads + i, lanes);
    store_lanes(x.params + i, adamw_update(f, load_lanes(x.params + i, lanes), g, m, v), lanes);
    store_lanes(x.m + i, m, lanes);
    store_lanes(x.v + i, v, lanes);
  }
}

// Floats are summed in runs of at most 4096, the runs in double.
inline double sum_of_squares(size_t n, const float* x) {
  double total = 0.0;
  size_t i = 0;
  while (i + kLanes <= n) {
    const size_t end = n - i > 4096 ? i + 4096 : n;
    Vec sum = splat(0.0F);
    for (; i + kLanes <= end; i += kLanes) sum += load(x + i) * load(x + i);
    total += static_cast<double>(sum_lanes(sum));
  }
  for (; i < n; ++i) total += static_cast<double>(x[i]) * static_cast<double>(x[i]);
  return total;
}

}  // namespace cmbo::tensor::CMBO_KERNELS
