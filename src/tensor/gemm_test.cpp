// SPDX-License-Identifier: Apache-2.0
#include "tensor/gemm.h"

#include <thread>

#include "tensor/kernel_case.h"

namespace cmbo::tensor {
namespace {

using Product = void (*)(const Gemm&, const float*, const float*, float*);

struct Variant {
  const char* name;
  Product product;
  bool a_transposed, b_transposed;
};
constexpr Variant kVariants[] = {
    {"nn", gemm_nn, false, false}, {"nt", gemm_nt, false, true}, {"tn", gemm_tn, true, false}};

reference::Array twin(const Variant& t, const Gemm& g, const Floats& a, const Floats& b,
                      const Floats& c) {
  reference::Array out = widen(c);
  for (size_t i = 0; i < g.M; ++i) {
    for (size_t j = 0; j < g.N; ++j) {
      double sum = 0.0;
      for (size_t k = 0; k < g.K; ++k) {
        const float x = t.a_transposed ? a[k * g.lda + i] : a[i * g.lda + k];
        const float y = t.b_transposed ? b[j * g.ldb + k] : b[k * g.ldb + j];
        sum += static_cast<double>(x) * static_cast<double>(y);
      }
      double& value = out[i * g.ldc + j];
      value = static_cast<double>(g.alpha) * sum + static_cast<double>(g.beta) * value;
    }
  }
  return out;
}

Gemm with_gaps(const Variant& t, Gemm g, size_t gap) {
  g.lda = (t.a_transposed ? g.M : g.K) + gap;
  g.ldb = (t.b_transposed ? g.K : g.N) + gap;
  g.ldc = g.N + gap;
  return g;
}

void check(const Variant& t, const Gemm& g) {
  Random random(3);
  const Floats a = random_floats(random, (t.a_transposed ? g.K : g.M) * g.lda);
  const Floats b = random_floats(random, (t.b_transposed ? g.N : g.K) * g.ldb);
  Floats c = random_floats(random, g.M * g.ldc);
  const reference::Array expected = twin(t, g, a, b, c);
  t.product(g, a.data(), b.data(), c.data());
  expect_near(c, expected, 1e-5);
}

TEST(GemmTest, MatchesTheTripleLoop) {
  for (const Variant& t : kVariants) {
    SCOPED_TRACE(t.name);
    for (const size_t n : kOddSizes) {
      check(t, with_gaps(t, {.M = n, .N = 9, .K = 33}, 0));
      check(t, with_gaps(t, {.M = 5, .N = n, .K = 2, .alpha = 0.5F, .beta = 1.0F}, 3));
      check(t, with_gaps(t, {.M = 17, .N = 3, .K = n, .beta = -2.0F}, 1));
    }
  }
}

TEST(GemmTest, EmptyProductsScaleC) {
  for (const Variant& t : kVariants) {
    Floats c = {1.0F, 2.0F};
    t.product({.M = 1, .N = 2, .K = 0, .beta = 3.0F}, nullptr, nullptr, c.data());
    EXPECT_EQ(c, Floats({3.0F, 6.0F}));
    t.product({.M = 0, .N = 2, .K = 5}, nullptr, nullptr, c.data());
    t.product({.M = 1, .N = 0, .K = 5}, nullptr, nullptr, c.data());
    EXPECT_EQ(c, Floats({3.0F, 6.0F}));
    c = unset(2);
    t.product({.M = 1, .N = 2, .K = 0}, nullptr, nullptr, c.data());
    EXPECT_EQ(c, Floats({0.0F, 0.0F}));
  }
}

TEST(GemmTest, ThreadsDoNotDisturbEachOther) {
  Random random(5);
  const Gemm g = {.M = 100, .N = 90, .K = 80};
  const Floats a = random_floats(random, g.M * g.K), b = random_floats(random, g.K * g.N);
  Floats expected(g.M * g.N);
  gemm_nn(g, a.data(), b.data(), expected.data());
  std::vector<Floats> results(4, unset(g.M * g.N));
  std::vector<std::thread> threads;
  for (Floats& c : results) {
    threads.emplace_back([&] {
      for (int i = 0; i < 20; ++i) gemm_nn(g, a.data(), b.data(), c.data());
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const Floats& c : results) EXPECT_EQ(c, expected);
}

TEST(GemmDeathTest, OverlappingRowsAreRefused) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  float x[4] = {};
  EXPECT_DEATH(gemm_nn({.M = 2, .N = 2, .K = 1, .ldc = 1}, x, x, x), "rows of C overlap");
}

}  // namespace
}  // namespace cmbo::tensor
