// SPDX-License-Identifier: Apache-2.0
//
// Inside of the kernels: attention, head by head and by blocks of queries. See attention.h for the
// letters and kernel_vector.h for the rules. Hidden context rows are left out when the keys and
// values of a head are packed, so a mask costs nothing afterwards; V is the number of visible ones.
// Packed rows are padded with zeros to Vp and Dp, multiples of kPad.
#pragma once

#include "tensor/kernel_gemm.h"
#include "tensor/kernel_rows.h"

namespace cmbo::tensor::CMBO_KERNELS {

inline constexpr size_t kBlock = kAttentionBlock;

CMBO_INLINE size_t padded(size_t n) {
  return (n + kPad - 1) / kPad * kPad;
}

CMBO_INLINE float* take(float*& scratch, size_t floats) {
  float* const taken = scratch;
  scratch += floats;
  return taken;
}

CMBO_INLINE void clear(float* p, size_t n) {
  for (size_t i = 0; i < n; ++i) p[i] = 0.0F;
}

CMBO_INLINE float dot(size_t n, const float* a, const float* b) {
  Vec sum = splat(0.0F);
  for_each_vector(n, a, 0.0F,
                  [&](size_t i, Vec v, size_t lanes) { sum += v * load_lanes(b + i, lanes); });
  return sum_lanes(sum);
}

// One head of a call: where its columns start is added to the pointers by the functions below.
struct Head {
  const AttentionShape& shape;
  const AttentionInputs& in;
  size_t h;
  size_t V, Vp, Dp;
  float scale;  // 1 / sqrt(D)

  size_t column() const { return h * shape.D; }
  const float* row(const float* base, size_t i) const { return base + i * shape.stride + column(); }
  float* row(float* base, size_t i) const { return base + i * shape.stride + column(); }
  const float* tight(const float* base, size_t i) const {
    return base + i * shape.H * shape.D + column();
  }
  float* tight(float* base, size_t i) const { return base + i * shape.H * shape.D + column(); }
};

CMBO_INLINE Head make_head(const AttentionShape& shape, const AttentionInputs& in) {
  size_t visible = 0;
  for (size_t j = 0; j < shape.C; ++j) visible += in.visible == nullptr || in.visible[j] ? 1 : 0;
  return {shape,
          in,
          0,
          visible,
          padded(visible),
          padded(shape.D),
          1.0F / __builtin_sqrtf(static_cast<float>(shape.D))};
}

// f(i, j): the i-th visible context row is row j.
template <typename F>
CMBO_INLINE void for_each_visible(const Head& head, F f) {
  size_t i = 0;
  for (size_t j = 0; j < head.shape.C; ++j) {
    if (head.in.visible == nullptr || head.in.visible[j]) f(i++, j);
  }
}

// packed [V][Dp] = scale * the visible rows of x.
inline void pack_rows(const Head& head, const float* x, float scale, float* packed) {
  clear(packed, head.V * head.Dp);
  for_each_visible(head, [&](size_t i, size_t j) {
    scale_add(head.shape.D, scale, head.row(x, j), packed + i * head.Dp);
  });
}

// packed [D][Vp] = scale * the visible rows of x, transposed.
inline void pack_columns(const Head& head, const float* x, float scale, float* packed) {
  for (size_t d = 0; d < head.shape.D; ++d) {
    for (size_t i = head.V; i < head.Vp; ++i) packed[d * head.Vp + i] = 0.0F;
  }
  for_each_visible(head, [&](size_t i, size_t j) {
    const float* const from = head.row(x, j);
    for (size_t d = 0; d < head.shape.D; ++d) packed[d * head.Vp + i] = scale * from[d];
  });
}

// x [n][Dp] = n rows of E floats that start at `from`, `stride` apart.
inline void pack_block(const Head& head, const float* from, size_t stride, size_t n, float* x) {
  for (size_t i = 0; i < n; ++i) {
    for (size_t d = 0; d < head.shape.D; ++d) x[i * head.Dp + d] = from[i * stride + d];
    for (size_t d = head.shape.D; d < head.Dp; ++d) x[i * head.Dp + d] = 0.0F;
  }
}

// s [n][Vp] = q kt for the queries first .. first+n-1; the padding becomes -infinity.
inline void block_scores(const Head& head, size_t first, size_t n, const float* kt, float* s) {
  small_gemm({.M = n,
              .N = head.Vp,
              .K = head.shape.D,
              .a = head.row(head.in.q, first),
              .a_row = head.shape.stride,
              .a_k = 1,
              .b = kt,
              .ldb = head.Vp,
              .c = s,
              .ldc = head.Vp,
              .add = false});
  for (size_t i = 0; i < n; ++i) {
    for (size_t j = head.V; j < head.Vp; ++j) s[i * head.Vp + j] = -kInfinity;
  }
}

CMBO_INLINE float self_score(const Head& head, size_t i) {
  return head.scale * dot(head.shape.D, head.row(head.in.q, i), head.row(head.in.self_k, i));
}

// Turns the scores of query i into e^(s - top). Returns top, 1/sum and the self key's part.
struct RowSoftmax {
  float top, inverse_sum, self;
};

inline RowSoftmax softmax_row(const Head& head, size_t i, float* s) {
  const bool has_self = head.in.self_k != nullptr;
  const float self = has_self ? self_score(head, i) : -kInfinity;
  const float context_top = row_max(head.Vp, s);
  const float top = self > context_top ? self : context_top;
  const float self_exp = has_self ? exp(splat(self - top))[0] : 0.0F;
  const float sum = exp_row(head.Vp, s, top, s) + self_exp;
  return {top, sum == 0.0F ? 0.0F : 1.0F / sum, self_exp};  // 0: no key at all
}

// out_row = (o + self v_self) / sum
CMBO_INLINE void finish_row(const Head& head, size_t i, RowSoftmax p, const float* o,
                            float* out_row) {
  const float* const v = head.in.self_v == nullptr ? o : head.row(head.in.self_v, i);
  const Vec self = splat(p.self), inverse = splat(p.inverse_sum);
  map(head.shape.D, o, v, out_row, [&](Vec a, Vec b) { return (a + self * b) * inverse; });
}

struct ForwardScratch {
  float *kt, *v, *s, *o;
};

inline void forward_block(const Head& head, const AttentionOutputs& outputs, size_t first,
                          const ForwardScratch& x) {
  const size_t left = head.shape.Q - first;
  const size_t n = left < kBlock ? left : kBlock;
  RowSoftmax rows[kBlock];
  block_scores(head, first, n, x.kt, x.s);
  for (size_t i = 0; i < n; ++i) rows[i] = softmax_row(head, first + i, x.s + i * head.Vp);
  small_gemm({.M = n,
              .N = head.Dp,
              .K = head.V,
              .a = x.s,
              .a_row = head.Vp,
              .a_k = 1,
              .b = x.v,
              .ldb = head.Dp,
              .c = x.o,
              .ldc = head.Dp,
              .add = false});
  for (size_t i = 0; i < n; ++i) {
    finish_row(head, first + i, rows[i], x.o + i * head.Dp, head.tight(outputs.out, first + i));
    if (outputs.stats == nullptr) continue;
    float* const stats = outputs.stats + 2 * ((first + i) * head.shape.H + head.h);
    stats[0] = rows[i].top;
    stats[1] = rows[i].inverse_sum;
  }
}

inline void attention_forward(const AttentionShape& shape, const AttentionInputs& in,
                              const AttentionOutputs& outputs, float* scratch) {
  Head head = make_head(shape, in);
  const ForwardScratch x = {take(scratch, shape.D * head.Vp), take(scratch, head.V * head.Dp),
                            take(scratch, kBlock * head.Vp), take(scratch, kBlock * head.Dp)};
  for (head.h = 0; head.h < shape.H; ++head.h) {
    pack_columns(head, in.k, head.scale, x.kt);
    pack_rows(head, in.v, 1.0F, x.v);
    for (size_t first = 0; first < shape.Q; first += kBlock) forward_block(head, outputs, first, x);
  }
}

}  // namespace cmbo::tensor::CMBO_KERNELS
