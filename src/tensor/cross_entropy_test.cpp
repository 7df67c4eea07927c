// SPDX-License-Identifier: Apache-2.0
#include "tensor/cross_entropy.h"

#include "tensor/kernel_case.h"

namespace cmbo::tensor {
namespace {

std::vector<uint32_t> some_targets(Rows s) {
  std::vector<uint32_t> targets(s.R);
  for (size_t r = 0; r < s.R; ++r) targets[r] = static_cast<uint32_t>(r * 7 % s.N);
  return targets;
}

KernelCase cross_entropy_case(Rows s) {
  return {
      .name = "cross_entropy " + std::to_string(s.R) + "x" + std::to_string(s.N),
      .input_sizes = {s.size()},
      .twin = [=](const auto& x) { return reference::cross_entropy(x[0], s.N, some_targets(s)); },
      .twin_backward =
          [=](const auto& x, const auto& weights) {
            return reference::Arrays{
                reference::cross_entropy_backward(x[0], some_targets(s), weights)};
          },
      .forward =
          [=](const auto& x) {
            Floats losses = unset(s.R);
            softmax_cross_entropy_forward(s, x[0].data(), some_targets(s).data(), losses.data(),
                                          nullptr);
            return losses;
          },
      .backward =
          [=](const auto& x, const auto& weights) {
            Floats losses = unset(s.R), d = x[0];
            softmax_cross_entropy_forward(s, d.data(), some_targets(s).data(), losses.data(),
                                          d.data());
            softmax_cross_entropy_backward(s, d.data(), some_targets(s).data(), weights.data(),
                                           d.data());
            return std::vector<Floats>{d};
          }};
}

TEST(CrossEntropyTest, MatchesTwinAndFiniteDifferences) {
  std::vector<KernelCase> cases;
  for (const size_t n : kOddSizes) {
    cases.push_back(cross_entropy_case({5, n}));
    cases.push_back(cross_entropy_case({n, 4}));
  }
  cases.push_back(cross_entropy_case({3, 1000}));
  check_cases(cases);
}

TEST(CrossEntropyTest, SoftmaxRowsMatchesTwin) {
  for_each_isa([] {
    for (const size_t n : kOddSizes) {
      Random random(n);
      const Floats x = random_floats(random, 4 * n);
      Floats y = unset(x.size()), in_place = x;
      softmax_rows({4, n}, x.data(), y.data());
      expect_near(y, reference::softmax(widen(x), n), 1e-6);
      softmax_rows({4, n}, in_place.data(), in_place.data());
      EXPECT_EQ(in_place, y);
    }
  });
}

TEST(CrossEntropyTest, ExtremeLogitsStayFinite) {
  for_each_isa([] {
    const float infinity = std::numeric_limits<float>::infinity();
    const Floats logits = {1e4F, -1e4F, 0.0F, -infinity, 3.0F, -infinity};
    const std::vector<uint32_t> targets = {1, 1};
    const Floats weights = {0.0F, 2.0F};
    Floats losses = unset(2), p = unset(6);
    softmax_cross_entropy_forward({2, 3}, logits.data(), targets.data(), losses.data(), p.data());
    EXPECT_EQ(losses, Floats({2e4F, 0.0F}));
    EXPECT_EQ(p, Floats({1.0F, 0.0F, 0.0F, 0.0F, 1.0F, 0.0F}));
    softmax_cross_entropy_backward({2, 3}, p.data(), targets.data(), weights.data(), p.data());
    EXPECT_EQ(p, Floats({0.0F, 0.0F, 0.0F, 0.0F, 0.0F, 0.0F}));
  });
}

TEST(CrossEntropyTest, NanIsNotHidden) {
  for_each_isa([] {
    for (const size_t at : {0, 5, 9}) {
      Floats logits(10, 1.0F);
      logits[at] = std::nanf("");
      const uint32_t target = 3;
      float loss = 0.0F;
      softmax_cross_entropy_forward({1, 10}, logits.data(), &target, &loss, nullptr);
      EXPECT_TRUE(std::isnan(loss)) << at;
    }
  });
}

TEST(CrossEntropyDeathTest, TargetsBeyondTheClassesAreRefused) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const Floats logits(3);
  const uint32_t target = 3;
  float loss = 0.0F;
  EXPECT_DEATH(softmax_cross_entropy_forward({1, 3}, logits.data(), &target, &loss, nullptr),
               "not a class");
}

}  // namespace
}  // namespace cmbo::tensor
