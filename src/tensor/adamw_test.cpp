// SPDX-License-Identifier: Apache-2.0
#include "tensor/adamw.h"

#include "tensor/kernel_case.h"

namespace cmbo::tensor {
namespace {

struct State {
  explicit State(size_t n) : p(n), m(n), v(n) {}
  reference::Array p, m, v;
};

// The formula, one element at a time.
void twin_step(const AdamW& o, int step, const Floats& grads, State& s) {
  const double b1 = static_cast<double>(o.beta1), b2 = static_cast<double>(o.beta2);
  const double rate = static_cast<double>(o.learning_rate);
  for (size_t i = 0; i < grads.size(); ++i) {
    const double g = static_cast<double>(grads[i]) * static_cast<double>(o.gradient_scale);
    s.m[i] = b1 * s.m[i] + (1.0 - b1) * g;
    s.v[i] = b2 * s.v[i] + (1.0 - b2) * g * g;
    const double m = s.m[i] / (1.0 - std::pow(b1, step)), v = s.v[i] / (1.0 - std::pow(b2, step));
    s.p[i] -= rate * static_cast<double>(o.weight_decay) * s.p[i];
    s.p[i] -= rate * m / (std::sqrt(v) + static_cast<double>(o.epsilon));
  }
}

void check_steps(const AdamW& options, size_t n) {
  Random random(n);
  Floats p = random_floats(random, n), m(n), v(n);
  State twin(n);
  twin.p = widen(p);
  for (int step = 1; step <= 5; ++step) {
    const Floats grads = random_floats(random, n);
    adamw_step(options, static_cast<uint64_t>(step),
               {n, p.data(), grads.data(), m.data(), v.data()});
    twin_step(options, step, grads, twin);
    expect_near(p, twin.p, 2e-6);
    expect_near(m, twin.m, 2e-6);
    expect_near(v, twin.v, 2e-6);
  }
}

TEST(AdamWTest, MatchesTwin) {
  for_each_isa([] {
    for (const size_t n : kOddSizes) {
      check_steps({.learning_rate = 0.1F}, n);
      check_steps({.learning_rate = 0.05F,
                   .beta1 = 0.8F,
                   .beta2 = 0.95F,
                   .epsilon = 1e-3F,
                   .weight_decay = 0.3F,
                   .gradient_scale = 0.25F},
                  n);
    }
  });
}

TEST(AdamWTest, SumOfSquaresMatchesTwin) {
  for_each_isa([] {
    for (const size_t n : {0, 1, 3, 7, 17, 33, 65, 4095, 4096, 4103, 100'001}) {
      Random random(n);
      const Floats x = random_floats(random, n);
      double expected = 0.0;
      for (const float v : x) expected += static_cast<double>(v) * static_cast<double>(v);
      EXPECT_NEAR(sum_of_squares(n, x.data()), expected, 1e-6 * expected) << n;
    }
  });
}

TEST(AdamWTest, ClippingOnlyShrinks) {
  EXPECT_EQ(clip_scale(0.25, 1.0F), 1.0F);
  EXPECT_EQ(clip_scale(16.0, 1.0F), 0.25F);
  EXPECT_EQ(clip_scale(0.0, 1.0F), 1.0F);
}

}  // namespace
}  // namespace cmbo::tensor
