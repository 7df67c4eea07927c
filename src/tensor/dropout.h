// SPDX-License-Identifier: Apache-2.0
//
// Dropout whose mask is a function of a seed and of the element's number alone: the backward pass
// computes it again, and any cut into blocks or threads gives the same mask.
#pragma once

#include <cstddef>
#include <cstdint>

namespace cmbo::tensor {

struct Dropout {
  uint64_t seed;       // one for each place and step
  float probability;   // 0 <= probability < 1 of becoming 0; the rest grows by 1/(1-probability)
  uint64_t first = 0;  // the number of element 0 of this call in the whole array
};

// x [n] -> y [n], which may be x.
void dropout_forward(const Dropout& dropout, size_t n, const float* x, float* y);
// dy [n] -> dx [n], which may be dy, with the `dropout` of the forward pass.
void dropout_backward(const Dropout& dropout, size_t n, const float* dy, float* dx);

}  // namespace cmbo::tensor
