// SPDX-License-Identifier: Apache-2.0
//
// Inside of the kernels: short vectors of floats by the compilers' vector extension, 4 or 8 wide.
// The kernel_*.h files are compiled once for each instruction set, into the namespace
// CMBO_KERNELS. They must not call inline functions of other headers (not even std::min): the
// linker keeps one copy of such a function, and that could be the one with AVX2 instructions.
#pragma once

#ifndef CMBO_KERNELS
#error "kernel_*.h are for kernels_<isa>.cpp, which define CMBO_KERNELS"
#endif

#include <cstddef>
#include <cstdint>

namespace cmbo::tensor::CMBO_KERNELS {

#ifdef __AVX2__
inline constexpr size_t kLanes = 8;
#else
inline constexpr size_t kLanes = 4;
#endif
// Scratch rows are padded to this many floats for either instruction set.
inline constexpr size_t kPad = 8;

typedef float Vec __attribute__((vector_size(kLanes * sizeof(float))));
typedef int32_t IntVec __attribute__((vector_size(kLanes * sizeof(int32_t))));
typedef uint32_t UintVec __attribute__((vector_size(kLanes * sizeof(uint32_t))));

#define CMBO_INLINE inline __attribute__((always_inline))

CMBO_INLINE Vec splat(float x) {
#ifdef __AVX2__
  return Vec{x, x, x, x, x, x, x, x};
#else
  return Vec{x, x, x, x};
#endif
}

// a b + c, rounded once where the instruction set can. Written out where equal operands must give
// equal bits; elsewhere compilers contract a * b + c as they like.
CMBO_INLINE Vec multiply_add(Vec a, Vec b, Vec c) {
#if defined(__AVX2__) && defined(__FMA__)
  return __builtin_ia32_vfmaddps256(a, b, c);
#else
  return a * b + c;
#endif
}

CMBO_INLINE UintVec lane_numbers() {
#ifdef __AVX2__
  return UintVec{0, 1, 2, 3, 4, 5, 6, 7};
#else
  return UintVec{0, 1, 2, 3};
#endif
}

CMBO_INLINE Vec load(const float* p) {
  Vec v;
  __builtin_memcpy(&v, p, sizeof v);
  return v;
}

CMBO_INLINE void store(float* p, Vec v) {
  __builtin_memcpy(p, &v, sizeof v);
}

// The first n < kLanes floats at p; the other lanes are `fill`.
CMBO_INLINE Vec load_part(const float* p, size_t n, float fill = 0.0F) {
  Vec v = splat(fill);
  for (size_t i = 0; i < n; ++i) v[i] = p[i];
  return v;
}

CMBO_INLINE void store_part(float* p, Vec v, size_t n) {
  for (size_t i = 0; i < n; ++i) p[i] = v[i];
}

// As load_part and store_part, but all kLanes are common and fast.
CMBO_INLINE void store_lanes(float* p, Vec v, size_t lanes) {
  if (lanes == kLanes) {
    store(p, v);
  } else {
    store_part(p, v, lanes);
  }
}

CMBO_INLINE Vec load_lanes(const float* p, size_t lanes) {
  return lanes == kLanes ? load(p) : load_part(p, lanes);
}

CMBO_INLINE Vec min(Vec a, Vec b) {
  return b < a ? b : a;  // a where either is NaN
}
CMBO_INLINE Vec max(Vec a, Vec b) {
  return b > a ? b : a;
}

CMBO_INLINE float sum_lanes(Vec v) {
  float s[kLanes];
  store(s, v);
  for (size_t half = kLanes / 2; half > 0; half /= 2) {
    for (size_t i = 0; i < half; ++i) s[i] += s[i + half];
  }
  return s[0];
}

CMBO_INLINE float max_lanes(Vec v) {
  float m = v[0];
  for (size_t i = 1; i < kLanes; ++i) m = v[i] > m ? v[i] : m;
  return m;
}

// e^x = 2^n e^r with |r| <= ln(2)/2 and e^r by a polynomial of degree 6 (relative error 3e-9).
// 0 below -87.3, where the result would no longer be a normal number; not above e^88. NaN stays.
CMBO_INLINE Vec exp(Vec x) {
  constexpr float kLowest = -87.3F;
  constexpr float kRounder = 12582912.0F;  // 1.5 * 2^23: adding it rounds to an integer
  const Vec limited = min(max(x, splat(kLowest)), splat(88.0F));
  const Vec rounded = limited * splat(1.44269504F) + splat(kRounder);
  const Vec n = rounded - splat(kRounder);
  const Vec r = (limited - n * splat(0.693359375F)) - n * splat(-2.12194440e-4F);
  Vec p = splat(1.381454002e-3F);
  p = p * r + splat(8.368745112e-3F);
  p = p * r + splat(4.166839079e-2F);
  p = p * r + splat(1.666652040e-1F);
  p = p * r + splat(4.999999343e-1F);
  p = p * (r * r) + r + splat(1.0F);
  UintVec bits;
  __builtin_memcpy(&bits, &rounded, sizeof bits);
  bits = (bits << 23) + 0x3F800000U;  // 2^n: the low bits of `rounded` are n
  Vec power;
  __builtin_memcpy(&power, &bits, sizeof power);
  return x < splat(kLowest) ? splat(0.0F) : p * power;
}

// y[i] = f(x[i]) for n elements; in place allowed.
template <typename F>
CMBO_INLINE void map(size_t n, const float* x, float* y, F f) {
  size_t i = 0;
  for (; i + kLanes <= n; i += kLanes) store(y + i, f(load(x + i)));
  if (i < n) store_part(y + i, f(load_part(x + i, n - i)), n - i);
}

// y[i] = f(a[i], b[i]) for n elements; in place allowed.
template <typename F>
CMBO_INLINE void map(size_t n, const float* a, const float* b, float* y, F f) {
  size_t i = 0;
  for (; i + kLanes <= n; i += kLanes) store(y + i, f(load(a + i), load(b + i)));
  if (i < n) store_part(y + i, f(load_part(a + i, n - i), load_part(b + i, n - i)), n - i);
}

}  // namespace cmbo::tensor::CMBO_KERNELS
