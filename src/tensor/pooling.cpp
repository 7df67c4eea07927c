// SPDX-License-Identifier: Apache-2.0
#include "tensor/pooling.h"

#include <algorithm>

#include "base/check.h"
#include "tensor/kernels.h"

namespace cmbo::tensor {
namespace {

// f(g, first, count): group g owns `count` rows from `first` on.
template <typename F>
void for_each_group(const Groups& groups, F f) {
  CHECK(groups.offsets[0] == 0, "offsets start at 0");
  for (size_t g = 0; g < groups.G; ++g) {
    CHECK(groups.offsets[g] <= groups.offsets[g + 1], "offsets rise");
    f(g, groups.offsets[g], groups.offsets[g + 1] - groups.offsets[g]);
  }
}

}  // namespace

void pooled_encoding_forward(const Groups& groups, const float* x, float* y) {
  const size_t N = groups.N;
  for_each_group(groups, [&](size_t g, size_t first, size_t count) {
    float* const mean = y + g * N;
    std::fill_n(mean, N, 0.0F);
    if (count == 0) return;
    kernels().add_column_sums({count, N}, x + first * N, mean);
    kernels().scale(N, 1.0F / static_cast<float>(count), mean, mean);
  });
}

void pooled_encoding_backward(const Groups& groups, const float* dy, float* dx) {
  const size_t N = groups.N;
  for_each_group(groups, [&](size_t g, size_t first, size_t count) {
    for (size_t i = 0; i < count; ++i) {
      kernels().scale(N, 1.0F / static_cast<float>(count), dy + g * N, dx + (first + i) * N);
    }
  });
}

}  // namespace cmbo::tensor
