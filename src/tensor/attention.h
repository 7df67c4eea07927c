// SPDX-License-Identifier: Apache-2.0
//
// Multi-head attention in which queries see context rows only, and optionally each query also a
// key and value of its own (the "self" key of query tokens).
//
// Letters: Q queries, C context rows, H heads, D head dimension; E = H D. Head h owns the columns
// h D .. h D + D - 1 of a row.
//   s[i][j] = q[i].k[j] / sqrt(D),  p = softmax of s over the visible keys,  out[i] = sum_j p v[j]
// A query that sees no key at all (C = 0 or all masked, no self key) gets zeros.
//
// The kernels go through blocks of 48 queries, so scratch does not grow with Q and no [Q][C] matrix
// ever exists. The backward pass computes the probabilities again from two saved numbers per query
// and head. Keeping them would make it 13 % faster (7.0 instead of 8.0 ms at Q = 2198, C = 150, H =
// 4, D = 32; 3 % of a layer), before the forward pass has paid for writing 5 MB per layer and task.
#pragma once

#include <cstddef>
#include <span>

namespace cmbo::tensor {

struct AttentionShape {
  size_t Q;
  size_t C;
  size_t H;
  size_t D;
  // Floats from one row to the next in q, k, v, self_k, self_v and their gradients: E for separate
  // matrices, 3 E when they are the parts of one fused projection [rows][3 E].
  size_t stride;
};

struct AttentionInputs {
  const float* q;                 // [Q] rows of E floats
  const float* k;                 // [C] rows of E floats
  const float* v;                 // [C] rows of E floats
  const float* self_k = nullptr;  // [Q] rows of E floats; null = no self key
  const float* self_v = nullptr;  // [Q] rows of E floats; null if self_k is
  const bool* visible = nullptr;  // [C]; false hides the context row; null = all are visible
};

struct AttentionOutputs {
  float* out;              // [Q][E]
  float* stats = nullptr;  // [Q][H][2] for the backward pass: largest s, 1 / sum; null = not wanted
};

// Floats of scratch that a call with this shape needs. What is in them does not matter.
size_t attention_forward_scratch(const AttentionShape& shape);
size_t attention_backward_scratch(const AttentionShape& shape);

// No output may overlap an input. A query's output does not depend on the other queries, to the
// bit.
void attention_forward(const AttentionShape& shape, const AttentionInputs& inputs,
                       const AttentionOutputs& outputs, std::span<float> scratch);

struct AttentionSaved {
  const float* out;    // [Q][E] of the forward pass
  const float* stats;  // [Q][H][2] of the forward pass
  const float* dout;   // [Q][E]
};

struct AttentionGradients {
  float* dq;                 // [Q] rows of E floats, set
  float* dk;                 // [C] rows of E floats, added to; hidden rows stay as they are
  float* dv;                 // [C] rows of E floats, added to; hidden rows stay as they are
  float* dself_k = nullptr;  // [Q] rows of E floats, set; null if there is no self key
  float* dself_v = nullptr;  // [Q] rows of E floats, set; null if there is no self key
};

// No gradient may overlap an input, nor another gradient: the parts of one fused projection
// interleave and do not overlap.
void attention_backward(const AttentionShape& shape, const AttentionInputs& inputs,
                        const AttentionSaved& saved, const AttentionGradients& gradients,
                        std::span<float> scratch);

}  // namespace cmbo::tensor
