// SPDX-License-Identifier: Apache-2.0
#include "tensor/elementwise.h"

#include "tensor/kernel_case.h"

namespace cmbo::tensor {
namespace {

KernelCase gelu_case(size_t n) {
  return {.name = "gelu " + std::to_string(n),
          .input_sizes = {n},
          .twin =
              [](const auto& x) {
                reference::Array y = x[0];
                for (double& v : y) v = reference::gelu(v);
                return y;
              },
          .twin_backward =
              [](const auto& x, const auto& dy) {
                reference::Array d = dy;
                for (size_t i = 0; i < d.size(); ++i) d[i] *= reference::gelu_derivative(x[0][i]);
                return reference::Arrays{d};
              },
          .forward =
              [](const auto& x) {
                Floats y = unset(x[0].size()), in_place = x[0];
                gelu_forward(y.size(), x[0].data(), y.data());
                gelu_forward(y.size(), in_place.data(), in_place.data());
                EXPECT_EQ(in_place, y);
                return y;
              },
          .backward =
              [](const auto& x, const auto& dy) {
                Floats dx = unset(dy.size()), in_place = dy;
                gelu_backward(dx.size(), x[0].data(), dy.data(), dx.data());
                gelu_backward(dx.size(), x[0].data(), in_place.data(), in_place.data());
                EXPECT_EQ(in_place, dx);
                return std::vector<Floats>{dx};
              }};
}

KernelCase residual_case(size_t n) {
  return {.name = "residual_add " + std::to_string(n),
          .input_sizes = {n, n},
          .twin =
              [](const auto& x) {
                reference::Array y = x[0];
                for (size_t i = 0; i < y.size(); ++i) y[i] += x[1][i];
                return y;
              },
          .twin_backward =
              [](const auto&, const auto& dy) {
                return reference::Arrays{dy, dy};
              },
          .forward =
              [](const auto& x) {
                Floats y = unset(x[0].size());
                residual_add(y.size(), x[0].data(), x[1].data(), y.data());
                return y;
              },
          .backward =
              [](const auto&, const auto& dy) {
                Floats sum = start_of_sum(dy.size());
                residual_add(dy.size(), sum.data(), dy.data(), sum.data());
                return std::vector<Floats>{dy, without_start(sum)};
              }};
}

TEST(ElementwiseTest, GeluMatchesTwinAndFiniteDifferences) {
  std::vector<KernelCase> cases;
  for (const size_t n : kOddSizes) cases.push_back(gelu_case(n));
  check_cases(cases);
}

TEST(ElementwiseTest, ResidualAddMatchesTwinAndFiniteDifferences) {
  std::vector<KernelCase> cases;
  for (const size_t n : kOddSizes) cases.push_back(residual_case(n));
  check_cases(cases);
}

// low, low + step, ... up to high.
Floats grid(float low, float high, size_t count) {
  Floats x(count);
  for (size_t i = 0; i < count; ++i) {
    x[i] = low + (high - low) * static_cast<float>(i) / static_cast<float>(count - 1);
  }
  return x;
}

TEST(ElementwiseTest, ExpIsAsExactAsItsHeaderSays) {
  const Floats x = grid(-87.0F, 88.0F, 200'001);
  for_each_isa([&] {
    Floats y = unset(x.size());
    exp_values(x.size(), x.data(), y.data());
    double worst = 0.0;
    for (size_t i = 0; i < x.size(); ++i) {
      const double expected = std::exp(static_cast<double>(x[i]));
      worst = std::max(worst, std::abs(static_cast<double>(y[i]) / expected - 1.0));
    }
    EXPECT_LT(worst, 1e-7);
    EXPECT_GT(worst, 1e-9);  // a float cannot be better
  });
}

TEST(ElementwiseTest, ExpAtTheEnds) {
  const float infinity = std::numeric_limits<float>::infinity();
  const Floats x = {-infinity, -1e30F, -88.0F, 0.0F, 1000.0F, infinity, std::nanf("")};
  for_each_isa([&] {
    Floats y = unset(x.size());
    exp_values(x.size(), x.data(), y.data());
    EXPECT_EQ(Floats(y.begin(), y.begin() + 4), Floats({0.0F, 0.0F, 0.0F, 1.0F}));
    EXPECT_NEAR(y[4] / std::exp(88.0F), 1.0F, 1e-6F);
    EXPECT_EQ(y[5], y[4]);
    EXPECT_TRUE(std::isnan(y[6]));
  });
}

TEST(ElementwiseTest, GeluIsAsExactAsItsHeaderSays) {
  const Floats x = grid(-30.0F, 30.0F, 200'001), ones(x.size(), 1.0F);
  for_each_isa([&] {
    Floats y = unset(x.size()), slope_of_y = unset(x.size());
    gelu_forward(x.size(), x.data(), y.data());
    gelu_backward(x.size(), x.data(), ones.data(), slope_of_y.data());
    for (size_t i = 0; i < x.size(); ++i) {
      const auto at = static_cast<double>(x[i]);
      const double bound = 5e-7 * std::max(1.0, std::abs(at));
      ASSERT_NEAR(static_cast<double>(y[i]), reference::gelu(at), bound) << at;
      ASSERT_NEAR(static_cast<double>(slope_of_y[i]), reference::gelu_derivative(at), bound) << at;
    }
  });
}

}  // namespace
}  // namespace cmbo::tensor
