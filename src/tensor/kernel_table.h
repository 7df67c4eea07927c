// SPDX-License-Identifier: Apache-2.0
//
// Inside of the kernels: all of them, as the table of the instruction set CMBO_KERNELS.
#pragma once

#include "tensor/kernel_attention.h"
#include "tensor/kernel_attention_backward.h"
#include "tensor/kernel_elementwise.h"
#include "tensor/kernel_rows.h"

namespace cmbo::tensor::CMBO_KERNELS {

inline constexpr Kernels kTable = {
    .add = add,
    .scale_add = scale_add,
    .scale = scale,
    .exp = exp_values,
    .gelu_forward = gelu_forward,
    .gelu_backward = gelu_backward,
    .dropout = dropout,
    .adamw = adamw,
    .sum_of_squares = sum_of_squares,
    .add_bias = add_bias,
    .add_bias_gelu = add_bias_gelu,
    .add_column_sums = add_column_sums,
    .layer_norm_forward = layer_norm_forward,
    .layer_norm_backward = layer_norm_backward,
    .softmax_rows = softmax_rows,
    .cross_entropy_forward = cross_entropy_forward,
    .attention_forward = attention_forward,
    .attention_backward = attention_backward,
};

}  // namespace cmbo::tensor::CMBO_KERNELS
