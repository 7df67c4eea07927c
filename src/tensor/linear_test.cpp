// SPDX-License-Identifier: Apache-2.0
#include "tensor/linear.h"

#include "tensor/elementwise.h"
#include "tensor/kernel_case.h"

namespace cmbo::tensor {
namespace {

std::string shape_name(LinearShape s) {
  return std::to_string(s.R) + "x" + std::to_string(s.K) + "->" + std::to_string(s.N);
}

// Inputs: x [R][K], W [N][K], b [N].
KernelCase linear_case(LinearShape s) {
  return {.name = "linear " + shape_name(s),
          .input_sizes = {s.R * s.K, s.N * s.K, s.N},
          .twin = [=](const auto& x) { return reference::linear(s.K, x[0], x[1], x[2]); },
          .twin_backward =
              [=](const auto& x, const auto& dy) {
                return reference::linear_backward(s.K, x[0], x[1], dy);
              },
          .forward =
              [=](const auto& x) {
                Floats y = unset(s.R * s.N);
                linear_forward(s, x[0].data(), {x[1].data(), x[2].data()}, y.data());
                return y;
              },
          .backward =
              [=](const auto& x, const auto& dy) {
                Floats dx = unset(s.R * s.K), dW = start_of_sum(s.N * s.K), db = start_of_sum(s.N);
                linear_backward(s, {x[0].data(), x[1].data()}, dy.data(),
                                {.dW = dW.data(), .db = db.data(), .dx = dx.data()});
                return std::vector<Floats>{dx, without_start(dW), without_start(db)};
              },
          .tolerance = 5e-6};
}

// The same with GELU behind it, and gradients that are set where the other adds and vice versa.
KernelCase linear_gelu_case(LinearShape s) {
  const KernelCase plain = linear_case(s);
  return {
      .name = "linear_gelu " + shape_name(s),
      .input_sizes = plain.input_sizes,
      .twin =
          [=](const auto& x) {
            reference::Array y = plain.twin(x);
            for (double& v : y) v = reference::gelu(v);
            return y;
          },
      .twin_backward =
          [=](const auto& x, const auto& dy) {
            reference::Array d = plain.twin(x);
            for (size_t i = 0; i < d.size(); ++i) d[i] = reference::gelu_derivative(d[i]) * dy[i];
            return plain.twin_backward(x, d);
          },
      .forward =
          [=](const auto& x) {
            Floats pre = unset(s.R * s.N), y = unset(s.R * s.N);
            linear_gelu_forward(s, x[0].data(), {x[1].data(), x[2].data()}, pre.data(), y.data());
            linear_gelu_forward(s, x[0].data(), {x[1].data(), x[2].data()}, pre.data(), pre.data());
            EXPECT_EQ(pre, y);
            return y;
          },
      .backward =
          [=](const auto& x, const auto& dy) {
            Floats pre = unset(s.R * s.N), y = pre, d = dy;
            linear_gelu_forward(s, x[0].data(), {x[1].data(), x[2].data()}, pre.data(), y.data());
            gelu_backward(d.size(), pre.data(), d.data(), d.data());
            Floats dx = start_of_sum(s.R * s.K), dW = unset(s.N * s.K), db = unset(s.N);
            linear_backward(s, {x[0].data(), x[1].data()}, d.data(),
                            {.dW = dW.data(),
                             .db = db.data(),
                             .dx = dx.data(),
                             .add_dW = false,
                             .add_dx = true});
            return std::vector<Floats>{without_start(dx), dW, db};
          },
      .tolerance = 5e-6};
}

std::vector<LinearShape> shapes() {
  std::vector<LinearShape> all;
  for (const size_t n : kOddSizes) {
    all.push_back({n, 5, 4});
    all.push_back({3, n, 9});
    all.push_back({4, 6, n});
  }
  all.push_back({300, 3, 2});  // more than one block of rows
  return all;
}

TEST(LinearTest, MatchesTwinAndFiniteDifferences) {
  std::vector<KernelCase> cases;
  for (const LinearShape s : shapes()) cases.push_back(linear_case(s));
  check_cases(cases);
}

TEST(LinearTest, FusedGeluMatchesTwinAndFiniteDifferences) {
  std::vector<KernelCase> cases;
  for (const LinearShape s : shapes()) cases.push_back(linear_gelu_case(s));
  check_cases(cases);
}

TEST(LinearTest, WorksWithoutBiasAndUnwantedGradients) {
  const Floats x = {1.0F, 2.0F}, W = {3.0F, 4.0F};
  float y = 0.0F, activated = 0.0F, expected = 0.0F;
  linear_forward({1, 2, 1}, x.data(), {W.data()}, &y);
  EXPECT_EQ(y, 11.0F);
  float pre = 0.0F;
  linear_gelu_forward({1, 2, 1}, x.data(), {W.data()}, &pre, &activated);
  gelu_forward(1, &y, &expected);
  EXPECT_EQ(activated, expected);
  Floats dW = {0.0F, 0.0F};
  linear_backward({1, 2, 1}, {x.data(), W.data()}, &y, {.dW = dW.data()});
  EXPECT_EQ(dW, Floats({11.0F, 22.0F}));
  Floats dx = unset(2);
  linear_backward({1, 2, 1}, {x.data(), W.data()}, &y, {.dW = nullptr, .dx = dx.data()});
  EXPECT_EQ(dx, Floats({33.0F, 44.0F}));
}

}  // namespace
}  // namespace cmbo::tensor
