// SPDX-License-Identifier: Apache-2.0
#include "tensor/dropout.h"

#include "tensor/kernel_case.h"

namespace cmbo::tensor {
namespace {

// The factor of every element: 0 or 1/(1-p). Read off the kernel, so that the twin can use it.
Floats factors(const Dropout& dropout, size_t n) {
  const Floats ones(n, 1.0F);
  Floats y = unset(n);
  dropout_forward(dropout, n, ones.data(), y.data());
  return y;
}

// The mask as a formula: what the vectors compute, one element at a time.
bool is_dropped(const Dropout& dropout, uint64_t element) {
  const uint64_t key = mix_bits(mix_bits(dropout.seed) + (element >> 32));
  uint32_t h = static_cast<uint32_t>(element) ^ static_cast<uint32_t>(key);
  h = (h ^ (h >> 16)) * 0x7FEB352DU;
  h = ((h ^ (h >> 15)) + static_cast<uint32_t>(key >> 32)) * 0x846CA68BU;
  h = (h ^ (h >> 16)) * 0x9E3779B1U;
  return static_cast<double>((h ^ (h >> 15)) >> 8) <
         std::round(static_cast<double>(dropout.probability) * 16777216.0);
}

KernelCase dropout_case(const Dropout& dropout, size_t n) {
  const auto twin = [=](const reference::Array& x) {
    reference::Array y(n);
    for (size_t i = 0; i < n; ++i) {
      if (is_dropped(dropout, dropout.first + i)) continue;
      y[i] = x[i] / (1.0 - static_cast<double>(dropout.probability));
    }
    return y;
  };
  return {.name = "dropout " + std::to_string(n),
          .input_sizes = {n},
          .twin = [=](const auto& x) { return twin(x[0]); },
          .twin_backward = [=](const auto&, const auto& dy) { return reference::Arrays{twin(dy)}; },
          .forward =
              [=](const auto& x) {
                Floats y = unset(n);
                dropout_forward(dropout, n, x[0].data(), y.data());
                return y;
              },
          .backward =
              [=](const auto&, const auto& dy) {
                Floats dx = dy;
                dropout_backward(dropout, n, dx.data(), dx.data());
                return std::vector<Floats>{dx};
              }};
}

TEST(DropoutTest, MatchesTwinAndFiniteDifferences) {
  std::vector<KernelCase> cases;
  for (const size_t n : kOddSizes) {
    cases.push_back(dropout_case({.seed = n, .probability = 0.2F}, n));
    cases.push_back(dropout_case({.seed = 1, .probability = 0.5F, .first = 12345}, n));
  }
  // Counters that cross 2^32.
  cases.push_back(dropout_case({.seed = 2, .probability = 0.3F, .first = (1ULL << 32) - 11}, 40));
  check_cases(cases);
}

TEST(DropoutTest, BlocksAndInstructionSetsGiveOneMask) {
  const Dropout whole = {.seed = 8, .probability = 0.4F};
  const Floats expected = factors(whole, 1000);
  for_each_isa([&] {
    Floats pieces;
    for (uint64_t first = 0; first < 1000; first += 125) {
      const Floats piece = factors({.seed = 8, .probability = 0.4F, .first = first}, 125);
      pieces.insert(pieces.end(), piece.begin(), piece.end());
    }
    EXPECT_EQ(pieces, expected);
  });
}

TEST(DropoutTest, DropsTheRightShareIndependently) {
  const size_t n = 100'000;
  const Dropout one = {.seed = 1, .probability = 0.2F}, two = {.seed = 2, .probability = 0.2F};
  const Floats a = factors(one, n), b = factors(two, n);
  double dropped = 0, both = 0, neighbours = 0;
  for (size_t i = 0; i < n; ++i) {
    dropped += a[i] == 0.0F ? 1 : 0;
    both += a[i] == 0.0F && b[i] == 0.0F ? 1 : 0;
    neighbours += a[i] == 0.0F && a[(i + 1) % n] == 0.0F ? 1 : 0;
  }
  EXPECT_NEAR(dropped / n, 0.2, 0.005);  // 4 standard deviations
  EXPECT_NEAR(both / n, 0.04, 0.0025);
  EXPECT_NEAR(neighbours / n, 0.04, 0.003);
}

TEST(DropoutTest, ProbabilityZeroKeepsEverything) {
  for_each_isa([] { EXPECT_EQ(factors({.seed = 3, .probability = 0.0F}, 77), Floats(77, 1.0F)); });
}

}  // namespace
}  // namespace cmbo::tensor
