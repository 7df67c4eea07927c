// SPDX-License-Identifier: Apache-2.0
//
// What treats every one of n elements alike. Outputs may be the same array as an input, but not
// overlap it otherwise.
#pragma once

#include <cstddef>

namespace cmbo::tensor {

// y = a + b. The backward pass of a sum hands dy on to both; where a gradient already waits, add.
void residual_add(size_t n, const float* a, const float* b, float* y);

// y = e^x, relative error below 1e-7 over [-87, 88], so mostly the float nearest to the truth.
// 0 for x < -87.3; e^88 for larger x; NaN stays NaN.
void exp_values(size_t n, const float* x, float* y);

// GELU in its tanh form: y = x (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))) / 2. Absolute error below
// 5e-7 max(1, |x|) against the same formula in double, and so is the derivative's.
void gelu_forward(size_t n, const float* x, float* y);
// x is the input of the forward pass; dx may be dy.
void gelu_backward(size_t n, const float* x, const float* dy, float* dx);

}  // namespace cmbo::tensor
