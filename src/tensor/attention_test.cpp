// SPDX-License-Identifier: Apache-2.0
#include "tensor/attention.h"

#include <algorithm>
#include <memory>

#include "tensor/kernel_case.h"
#include "tensor/reference_attention.h"

namespace cmbo::tensor {
namespace {

// What a case varies besides the sizes: a self key, hidden rows, and rows that interleave.
struct Setting {
  size_t Q, C, H, D;
  bool self = false;
  std::vector<size_t> hidden = {};
  size_t gap = 0;  // floats between rows

  size_t E() const { return H * D; }
  AttentionShape shape() const { return {Q, C, H, D, E() + gap}; }
  reference::Attention twin() const {
    reference::Attention a = {Q, C, H, D, std::vector<bool>(C, true)};
    for (const size_t j : hidden) a.visible[j] = false;
    return a;
  }
  std::string name() const {
    return "attention Q" + std::to_string(Q) + " C" + std::to_string(C) + " H" + std::to_string(H) +
           " D" + std::to_string(D) + (self ? " self" : "") + (hidden.empty() ? "" : " masked") +
           (gap > 0 ? " gaps" : "");
  }
};

// [rows][E] -> rows `gap` further apart, and back.
Floats spread(const Setting& s, const Floats& x, float fill) {
  const size_t rows = x.size() / s.E();
  Floats wide(rows * (s.E() + s.gap), fill);
  for (size_t i = 0; i < x.size(); ++i) wide[i / s.E() * (s.E() + s.gap) + i % s.E()] = x[i];
  return wide;
}

Floats gather(const Setting& s, const Floats& wide) {
  Floats x;
  for (size_t i = 0; i < wide.size(); ++i) {
    if (i % (s.E() + s.gap) < s.E()) x.push_back(wide[i]);
  }
  return x;
}

// The arrays of one call, spread out. x = q, k, v and possibly self_k, self_v.
struct Call {
  Call(const Setting& setting, const std::vector<Floats>& inputs) : s(setting) {
    for (const Floats& array : inputs) x.push_back(spread(s, array, 9.0F));
    if (s.hidden.empty()) return;
    visible = std::make_unique<bool[]>(s.C);
    std::fill_n(visible.get(), s.C, true);
    for (const size_t j : s.hidden) visible[j] = false;
  }

  AttentionInputs inputs() const {
    return {.q = x[0].data(),
            .k = x[1].data(),
            .v = x[2].data(),
            .self_k = s.self ? x[3].data() : nullptr,
            .self_v = s.self ? x[4].data() : nullptr,
            .visible = visible.get()};
  }

  void forward() {
    Floats scratch = unset(attention_forward_scratch(s.shape()));
    attention_forward(s.shape(), inputs(), {out.data(), stats.data()}, scratch);
  }

  std::vector<Floats> backward(const Floats& dout) {
    std::vector<Floats> d;
    for (size_t a = 0; a < x.size(); ++a) {
      const bool sums = a == 1 || a == 2;
      const size_t n = x[a].size() / (s.E() + s.gap) * s.E();
      d.push_back(spread(s, sums ? start_of_sum(n) : unset(n), 9.0F));
    }
    Floats scratch = unset(attention_backward_scratch(s.shape()));
    attention_backward(s.shape(), inputs(), {out.data(), stats.data(), dout.data()},
                       {.dq = d[0].data(),
                        .dk = d[1].data(),
                        .dv = d[2].data(),
                        .dself_k = s.self ? d[3].data() : nullptr,
                        .dself_v = s.self ? d[4].data() : nullptr},
                       scratch);
    for (size_t a = 0; a < d.size(); ++a) {
      d[a] = gather(s, d[a]);
      if (a == 1 || a == 2) d[a] = without_start(d[a]);
    }
    return d;
  }

  const Setting& s;
  std::vector<Floats> x;
  std::unique_ptr<bool[]> visible;
  Floats out = unset(s.Q * s.E());
  Floats stats = unset(s.Q * s.H * 2);
};

KernelCase attention_case(const Setting& s) {
  const size_t queries = s.Q * s.E(), keys = s.C * s.E();
  KernelCase c = {.name = s.name(),
                  .input_sizes = {queries, keys, keys},
                  .twin = [=](const auto& x) { return reference::attention(s.twin(), x); },
                  .twin_backward =
                      [=](const auto& x, const auto& dy) {
                        return reference::attention_backward(s.twin(), x, dy);
                      },
                  .forward =
                      [=](const auto& x) {
                        Call call(s, x);
                        call.forward();
                        return call.out;
                      },
                  .backward =
                      [=](const auto& x, const auto& dy) {
                        Call call(s, x);
                        call.forward();
                        return call.backward(dy);
                      }};
  if (s.self) c.input_sizes.insert(c.input_sizes.end(), {queries, queries});
  return c;
}

std::vector<size_t> all_below(size_t n) {
  std::vector<size_t> all(n);
  for (size_t i = 0; i < n; ++i) all[i] = i;
  return all;
}

std::vector<KernelCase> cases(bool self) {
  std::vector<KernelCase> all;
  for (const size_t n : kOddSizes) {
    all.push_back(attention_case({.Q = n, .C = 5, .H = 2, .D = 3, .self = self}));
    all.push_back(attention_case({.Q = 3, .C = n, .H = 1, .D = 4, .self = self, .gap = 5}));
    all.push_back(attention_case({.Q = 2, .C = 3, .H = 2, .D = n, .self = self}));
  }
  all.push_back(attention_case(
      {.Q = 7, .C = 20, .H = 2, .D = 8, .self = self, .hidden = {0, 3, 4, 19}, .gap = 1}));
  all.push_back(attention_case({.Q = 3, .C = 0, .H = 2, .D = 8, .self = self}));
  all.push_back(
      attention_case({.Q = 3, .C = 9, .H = 2, .D = 8, .self = self, .hidden = all_below(9)}));
  all.push_back(attention_case({.Q = 0, .C = 4, .H = 2, .D = 8, .self = self}));
  all.push_back(attention_case({.Q = 50, .C = 33, .H = 1, .D = 32, .self = self}));
  return all;
}

TEST(AttentionTest, ContextKeysMatchTwinAndFiniteDifferences) {
  check_cases(cases(false));
}

TEST(AttentionTest, SelfKeysMatchTwinAndFiniteDifferences) {
  check_cases(cases(true));
}

TEST(AttentionTest, NoKeyGivesZeros) {
  for_each_isa([] {
    const Setting s = {.Q = 3, .C = 0, .H = 2, .D = 5};
    Call call(s, {Floats(30, 1.0F), {}, {}});
    call.forward();
    EXPECT_EQ(call.out, Floats(30, 0.0F));
    EXPECT_EQ(call.backward(Floats(30, 1.0F))[0], Floats(30, 0.0F));
  });
}

TEST(AttentionTest, AQueryDoesNotDependOnItsBlock) {
  for_each_isa([] {
    Random random(4);
    const Setting s = {.Q = 101, .C = 37, .H = 2, .D = 16};
    const size_t E = s.E();
    const Floats q = random_floats(random, s.Q * E), k = random_floats(random, s.C * E),
                 v = random_floats(random, s.C * E);
    Call all(s, {q, k, v});
    all.forward();
    for (const size_t first : {0, 5, 48, 97}) {
      const Setting one = {.Q = 1, .C = 37, .H = 2, .D = 16};
      Call single(one, {Floats(&q[first * E], &q[first * E] + E), k, v});
      single.forward();
      EXPECT_EQ(single.out, Floats(&all.out[first * E], &all.out[first * E] + E));
    }
  });
}

TEST(AttentionTest, LargeScoresDoNotOverflow) {
  for_each_isa([] {
    const Setting s = {.Q = 1, .C = 2, .H = 1, .D = 1, .self = true};
    Call call(s, {{100.0F}, {100.0F, -100.0F}, {1.0F, 2.0F}, {-100.0F}, {3.0F}});
    call.forward();
    EXPECT_FLOAT_EQ(call.out[0], 1.0F);
    for (const Floats& d : call.backward({1.0F})) {
      for (const float value : d) EXPECT_TRUE(std::isfinite(value));
    }
  });
}

TEST(AttentionDeathTest, TooLittleScratchIsRefused) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const Floats x(4, 1.0F);
  Floats out(4), scratch(3);
  EXPECT_DEATH(
      attention_forward({1, 1, 1, 4, 4}, {x.data(), x.data(), x.data()}, {out.data()}, scratch),
      "too little scratch");
}

}  // namespace
}  // namespace cmbo::tensor
