// SPDX-License-Identifier: Apache-2.0
//
// Inside of src/tensor: the table of vectorized kernels, one for each instruction set. The public
// headers state what each kernel does; the functions there check their arguments and call through
// kernels().
#pragma once

#include <cstddef>
#include <cstdint>

#include "tensor/adamw.h"
#include "tensor/attention.h"
#include "tensor/layer_norm.h"
#include "tensor/shapes.h"

namespace cmbo::tensor {

// What is the same for all elements of an AdamW step.
struct AdamWFactors {
  float beta1, beta2;
  float gradient_scale;
  float decay;    // multiplies the parameter: 1 - learning rate * weight decay
  float rate;     // learning rate / (1 - beta1^step)
  float v_scale;  // 1 / (1 - beta2^step)
  float epsilon;
};

// The keys of a dropout mask and how it scales what it keeps.
struct DropoutFactors {
  uint32_t key0, key1;
  uint32_t first;     // counter of element 0; the counters of one call do not wrap
  int32_t threshold;  // an element is dropped if its 24 hash bits are below this
  float scale;
};

// Queries that attention takes at a time: a multiple of the 6 rows of a register tile, and few
// enough that their scores stay in the second cache.
inline constexpr size_t kAttentionBlock = 48;

struct Kernels {
  void (*add)(size_t n, const float* a, const float* b, float* y);
  void (*scale_add)(size_t n, float factor, const float* x, float* y);  // y += factor * x
  void (*scale)(size_t n, float factor, const float* x, float* y);      // y = factor * x
  void (*exp)(size_t n, const float* x, float* y);
  void (*gelu_forward)(size_t n, const float* x, float* y);
  void (*gelu_backward)(size_t n, const float* x, const float* dy, float* dx);
  void (*dropout)(const DropoutFactors& factors, size_t n, const float* x, float* y);
  void (*adamw)(const AdamWFactors& factors, const AdamWArrays& arrays);
  double (*sum_of_squares)(size_t n, const float* x);

  void (*add_bias)(Rows s, const float* bias, float* y);
  void (*add_bias_gelu)(Rows s, const float* bias, float* pre, float* y);
  void (*add_column_sums)(Rows s, const float* x, float* sums);
  void (*layer_norm_forward)(Rows s, const float* x, LayerNormWeights weights, float* y,
                             float* stats);
  void (*layer_norm_backward)(Rows s, LayerNormSaved saved, const float* dy, float* dx,
                              LayerNormGradients gradients);
  void (*softmax_rows)(Rows s, const float* x, float* y);
  void (*cross_entropy_forward)(Rows s, const float* logits, const uint32_t* targets, float* losses,
                                float* probabilities);

  void (*attention_forward)(const AttentionShape& shape, const AttentionInputs& inputs,
                            const AttentionOutputs& outputs, float* scratch);
  void (*attention_backward)(const AttentionShape& shape, const AttentionInputs& inputs,
                             const AttentionSaved& saved, const AttentionGradients& gradients,
                             float* scratch);
};

extern const Kernels* const kBaselineKernels;
extern const Kernels* const kAvx2Kernels;  // null where the build has none

// The table of active_isa().
const Kernels& kernels();

}  // namespace cmbo::tensor
