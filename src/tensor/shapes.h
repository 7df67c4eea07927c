// SPDX-License-Identifier: Apache-2.0
//
// All arrays of this folder are row-major floats that the caller owns; every kernel runs in the
// calling thread and keeps no state, so calls on disjoint outputs may run at the same time. A
// kernel *sets* its outputs unless its comment says that it *adds* to them.
#pragma once

#include <cstddef>

namespace cmbo::tensor {

// A matrix [R][N], rows one after the other without gaps.
struct Rows {
  size_t R;
  size_t N;
  size_t size() const { return R * N; }
};

}  // namespace cmbo::tensor
