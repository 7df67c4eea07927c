// SPDX-License-Identifier: Apache-2.0
#include "tensor/pooling.h"

#include "tensor/kernel_case.h"

namespace cmbo::tensor {
namespace {

KernelCase pooling_case(size_t N, const std::vector<size_t>& offsets) {
  const size_t G = offsets.size() - 1, P = offsets.back();
  return {.name = "pooled_encoding " + std::to_string(G) + " groups of " + std::to_string(N),
          .input_sizes = {P * N},
          .twin = [=](const auto& x) { return reference::group_means(N, offsets, x[0]); },
          .twin_backward =
              [=](const auto&, const auto& dy) {
                return reference::Arrays{reference::group_means_backward(N, offsets, dy)};
              },
          .forward =
              [=](const auto& x) {
                Floats y = unset(G * N);
                pooled_encoding_forward({G, N, offsets.data()}, x[0].data(), y.data());
                return y;
              },
          .backward =
              [=](const auto&, const auto& dy) {
                Floats dx = unset(P * N);
                pooled_encoding_backward({G, N, offsets.data()}, dy.data(), dx.data());
                return std::vector<Floats>{dx};
              }};
}

TEST(PoolingTest, MatchesTwinAndFiniteDifferences) {
  std::vector<KernelCase> cases;
  for (const size_t n : kOddSizes) {
    cases.push_back(pooling_case(n, {0, 1, 4, 4, 11}));
    cases.push_back(pooling_case(5, {0, n}));
  }
  cases.push_back(pooling_case(3, {0, 0, 0}));
  cases.push_back(pooling_case(3, {0}));
  check_cases(cases);
}

TEST(PoolingDeathTest, FallingOffsetsAreRefused) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const size_t offsets[] = {0, 2, 1};
  const Floats x(2);
  Floats y(2);
  EXPECT_DEATH(pooled_encoding_forward({2, 1, offsets}, x.data(), y.data()), "offsets rise");
}

}  // namespace
}  // namespace cmbo::tensor
