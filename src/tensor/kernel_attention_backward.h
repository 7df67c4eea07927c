// SPDX-License-Identifier: Apache-2.0
//
// Inside of the kernels: the backward pass of kernel_attention.h. With p the probabilities:
//   dv = p^T dout,  dp = dout v^T,  delta_i = dout_i . out_i,  ds = p (dp - delta),
//   dq = ds k / sqrt(D),  dk = ds^T q / sqrt(D);  the self key is one more key of its query alone.
#pragma once

#include "tensor/kernel_attention.h"

namespace cmbo::tensor::CMBO_KERNELS {

struct BackwardScratch {
  float *kt, *vt;        // [D][Vp], kt scaled by 1/sqrt(D)
  float *k, *dk, *dv;    // [V][Dp], k scaled by 1/sqrt(D)
  float *p, *ds;         // [kBlock][Vp]
  float *q, *dout, *dq;  // [kBlock][Dp]
};

CMBO_INLINE BackwardScratch backward_scratch(const Head& head, float* scratch) {
  const size_t columns = head.shape.D * head.Vp, rows = head.V * head.Dp;
  const size_t scores = kBlock * head.Vp, block = kBlock * head.Dp;
  return {take(scratch, columns), take(scratch, columns), take(scratch, rows),
          take(scratch, rows),    take(scratch, rows),    take(scratch, scores),
          take(scratch, scores),  take(scratch, block),   take(scratch, block),
          take(scratch, block)};
}

struct BackwardCall {
  const AttentionSaved& saved;
  const AttentionGradients& grads;
  BackwardScratch x;
};

// In: p = s, ds = dp. Out: p = e^(s - top) / sum, ds = p (dp - delta).
CMBO_INLINE void score_gradients(size_t n, const float stats[2], float delta, float* p, float* ds) {
  const Vec top = splat(stats[0]), inverse = splat(stats[1]), shift = splat(delta);
  for (size_t j = 0; j < n; j += kLanes) {
    const Vec probability = exp(load(p + j) - top) * inverse;
    store(p + j, probability);
    store(ds + j, probability * (load(ds + j) - shift));
  }
}

// The self key of query i: sets dself_k, dself_v and adds to dq [Dp].
inline void self_gradients(const Head& head, const BackwardCall& call, size_t i, float delta,
                           float* dq) {
  const size_t D = head.shape.D;
  const float* const stats = call.saved.stats + 2 * (i * head.shape.H + head.h);
  const float* const dout = head.tight(call.saved.dout, i);
  const float p = exp(splat(self_score(head, i) - stats[0]))[0] * stats[1];
  const float ds = p * (dot(D, dout, head.row(head.in.self_v, i)) - delta) * head.scale;
  scale_add(D, ds, head.row(head.in.self_k, i), dq);
  scale(D, ds, head.row(head.in.q, i), head.row(call.grads.dself_k, i));
  scale(D, p, dout, head.row(call.grads.dself_v, i));
}

// p and ds of the block, from q and dout.
inline void block_probabilities(const Head& head, const BackwardCall& call, size_t first, size_t n,
                                float* deltas) {
  const BackwardScratch& x = call.x;
  block_scores(head, first, n, x.kt, x.p);
  small_gemm({.M = n,
              .N = head.Vp,
              .K = head.shape.D,
              .a = x.dout,
              .a_row = head.Dp,
              .a_k = 1,
              .b = x.vt,
              .ldb = head.Vp,
              .c = x.ds,
              .ldc = head.Vp,
              .add = false});
  for (size_t i = 0; i < n; ++i) {
    deltas[i] = dot(head.shape.D, x.dout + i * head.Dp, head.tight(call.saved.out, first + i));
    score_gradients(head.Vp, call.saved.stats + 2 * ((first + i) * head.shape.H + head.h),
                    deltas[i], x.p + i * head.Vp, x.ds + i * head.Vp);
  }
}

inline void backward_block(const Head& head, const BackwardCall& call, size_t first) {
  const BackwardScratch& x = call.x;
  const size_t left = head.shape.Q - first, Vp = head.Vp, Dp = head.Dp;
  const size_t n = left < kBlock ? left : kBlock;
  float deltas[kBlock];
  pack_block(head, head.row(head.in.q, first), head.shape.stride, n, x.q);
  pack_block(head, head.tight(call.saved.dout, first), head.shape.H * head.shape.D, n, x.dout);
  block_probabilities(head, call, first, n, deltas);
  small_gemm({.M = n,
              .N = Dp,
              .K = head.V,
              .a = x.ds,
              .a_row = Vp,
              .a_k = 1,
              .b = x.k,
              .ldb = Dp,
              .c = x.dq,
              .ldc = Dp,
              .add = false});
  small_gemm({.M = head.V,
              .N = Dp,
              .K = n,
              .a = x.ds,
              .a_row = 1,
              .a_k = Vp,
              .b = x.q,
              .ldb = Dp,
              .c = x.dk,
              .ldc = Dp,
              .add = true});
  small_gemm({.M = head.V,
              .N = Dp,
              .K = n,
              .a = x.p,
              .a_row = 1,
              .a_k = Vp,
              .b = x.dout,
              .ldb = Dp,
              .c = x.dv,
              .ldc = Dp,
              .add = true});
  for (size_t i = 0; i < n; ++i) {
    float* const dq = x.dq + i * Dp;
    if (head.in.self_k != nullptr) self_gradients(head, call, first + i, deltas[i], dq);
    map(head.shape.D, dq, head.row(call.grads.dq, first + i), [](Vec v) { return v; });
  }
}

inline void attention_backward(const AttentionShape& shape, const AttentionInputs& in,
                               const AttentionSaved& saved, const AttentionGradients& grads,
                               float* scratch) {
  Head head = make_head(shape, in);
  const BackwardCall call = {saved, grads, backward_scratch(head, scratch)};
  const BackwardScratch& x = call.x;
  for (head.h = 0; head.h < shape.H; ++head.h) {
    pack_columns(head, in.k, head.scale, x.kt);
    pack_columns(head, in.v, 1.0F, x.vt);
    pack_rows(head, in.k, head.scale, x.k);
    clear(x.dk, head.V * head.Dp);
    clear(x.dv, head.V * head.Dp);
    for (size_t first = 0; first < shape.Q; first += kBlock) backward_block(head, call, first);
    for_each_visible(head, [&](size_t i, size_t j) {
      scale_add(shape.D, head.scale, x.dk + i * head.Dp, head.row(grads.dk, j));
      scale_add(shape.D, 1.0F, x.dv + i * head.Dp, head.row(grads.dv, j));
    });
  }
}

}  // namespace cmbo::tensor::CMBO_KERNELS
