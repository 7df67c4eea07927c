// SPDX-License-Identifier: Apache-2.0
#include "tensor/layer_norm.h"

#include "tensor/kernel_case.h"

namespace cmbo::tensor {
namespace {

// Inputs: x [R][N], gamma [N], beta [N].
KernelCase layer_norm_case(Rows s) {
  return {
      .name = "layer_norm " + std::to_string(s.R) + "x" + std::to_string(s.N),
      .input_sizes = {s.size(), s.N, s.N},
      .twin = [](const auto& x) { return reference::layer_norm(x[0], x[1], x[2]); },
      .twin_backward =
          [](const auto& x, const auto& dy) {
            return reference::layer_norm_backward(x[0], x[1], dy);
          },
      .forward =
          [=](const auto& x) {
            Floats y = unset(s.size()), in_place = x[0];
            layer_norm_forward(s, x[0].data(), {x[1].data(), x[2].data()}, y.data(), nullptr);
            layer_norm_forward(s, in_place.data(), {x[1].data(), x[2].data()}, in_place.data(),
                               nullptr);
            EXPECT_EQ(in_place, y);
            return y;
          },
      .backward =
          [=](const auto& x, const auto& dy) {
            Floats y = unset(s.size()), stats = unset(2 * s.R), d = dy;
            layer_norm_forward(s, x[0].data(), {x[1].data(), x[2].data()}, y.data(), stats.data());
            Floats dgamma = start_of_sum(s.N), dbeta = start_of_sum(s.N);
            layer_norm_backward(s, {x[0].data(), stats.data(), x[1].data()}, d.data(), d.data(),
                                {dgamma.data(), dbeta.data()});
            return std::vector<Floats>{d, without_start(dgamma), without_start(dbeta)};
          },
      .tolerance = 1e-5};
}

TEST(LayerNormTest, MatchesTwinAndFiniteDifferences) {
  std::vector<KernelCase> cases;
  for (const size_t n : kOddSizes) {
    if (n > 1) cases.push_back(layer_norm_case({3, n}));
    cases.push_back(layer_norm_case({n, 12}));
  }
  check_cases(cases);
}

TEST(LayerNormTest, ConstantRowsBecomeBeta) {
  for_each_isa([] {
    const Floats x(10, 4.0F), gamma(5, 2.0F), beta = {1.0F, 2.0F, 3.0F, 4.0F, 5.0F};
    Floats y = unset(10), stats = unset(4);
    layer_norm_forward({2, 5}, x.data(), {gamma.data(), beta.data()}, y.data(), stats.data());
    for (size_t i = 0; i < 10; ++i) EXPECT_NEAR(y[i], beta[i % 5], 1e-3F);
    EXPECT_NEAR(stats[0], 4.0F, 1e-5F);
    EXPECT_NEAR(stats[1], 316.23F, 0.1F);  // 1 / sqrt(1e-5)
  });
}

TEST(LayerNormTest, FarFromZeroTheVarianceStaysExact) {
  for_each_isa([] {
    const Floats x = {1000.0F, 1001.0F, 1002.0F, 1003.0F}, gamma(4, 1.0F), beta(4, 0.0F);
    Floats y = unset(4);
    layer_norm_forward({1, 4}, x.data(), {gamma.data(), beta.data()}, y.data(), nullptr);
    expect_near(y, reference::layer_norm(widen(x), widen(gamma), widen(beta)), 1e-5);
  });
}

}  // namespace
}  // namespace cmbo::tensor
