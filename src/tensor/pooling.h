// SPDX-License-Identifier: Apache-2.0
//
// Means over consecutive rows: the encodings of the points of each curve become one row per curve.
#pragma once

#include <cstddef>

namespace cmbo::tensor {

// G groups over P = offsets[G] rows of N floats; group g owns the rows offsets[g] ..
// offsets[g+1]-1. offsets [G+1] rises from 0; a group may be empty.
struct Groups {
  size_t G;
  size_t N;
  const size_t* offsets;
};

// x [P][N] -> y [G][N]: the mean of each group's rows; zeros for an empty group. No overlap.
void pooled_encoding_forward(const Groups& groups, const float* x, float* y);
// dy [G][N] -> dx [P][N].
void pooled_encoding_backward(const Groups& groups, const float* dy, float* dx);

}  // namespace cmbo::tensor
