// SPDX-License-Identifier: Apache-2.0
//
// Muon (Jordan et al. 2024): updates of weight matrices. The momentum is replaced by about the
// nearest matrix that changes no length, so directions in which gradients are always small are
// learned as fast as the others.
#pragma once

#include <cstddef>
#include <vector>

namespace cmbo::tensor {

struct Muon {
  float learning_rate = 1e-3F;  // of the size that suits AdamW
  float momentum = 0.95F;
  float weight_decay = 0.0F;    // decoupled, as AdamW's
  float gradient_scale = 1.0F;  // multiplies the gradient first
};

// A row-major matrix of parameters with its gradient and its momentum, which starts at zero.
struct MuonMatrix {
  size_t rows, columns;
  float* params;
  const float* grads;
  float* momentum;
};

// Memory that one update after the other uses; it grows as needed.
struct MuonScratch {
  std::vector<float> update, square, mixed, next;
};

void muon_step(const Muon& options, const MuonMatrix& matrix, MuonScratch& scratch);

// Replaces x [rows][columns] by a matrix with the same singular vectors and singular values from
// 0.6 to 1.3 where they were more than 1/200 of the norm (a polynomial iterated five times). Zero
// stays zero.
void orthogonalize(size_t rows, size_t columns, float* x, MuonScratch& scratch);

}  // namespace cmbo::tensor
