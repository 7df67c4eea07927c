// SPDX-License-Identifier: Apache-2.0
//
// Softmax along the rows of a matrix [R][N], and the loss of a target class in each row. Stable:
// the largest logit of a row is taken off first. A row must have a finite largest logit; -infinity
// among the others has probability 0, NaN makes its row NaN.
#pragma once

#include <cstdint>

#include "tensor/shapes.h"

namespace cmbo::tensor {

// x [R][N] -> probabilities y [R][N], which may be x.
void softmax_rows(Rows s, const float* x, float* y);

// losses [R]: -log of the probability of class targets[r] < N in row r of logits [R][N].
// probabilities [R][N] is what the backward pass needs and may be `logits`; null = not wanted.
void softmax_cross_entropy_forward(Rows s, const float* logits, const uint32_t* targets,
                                   float* losses, float* probabilities);

// dlogits [R][N] = weights[r] (probabilities - one-hot target): the gradient of the weighted sum of
// losses. May be `probabilities`. weights [R]; a row of weight 0 gets zeros.
void softmax_cross_entropy_backward(Rows s, const float* probabilities, const uint32_t* targets,
                                    const float* weights, float* dlogits);

}  // namespace cmbo::tensor
