// SPDX-License-Identifier: Apache-2.0
//
// For tests: a case is declared once, with the kernel pair and its naive twins, and is then
// checked for every instruction set: forward and backward against the twin, both gradients against
// finite differences of the twin; and the instruction sets against each other.
#pragma once

#include <functional>
#include <gtest/gtest.h>
#include <limits>
#include <string>
#include <vector>

#include "base/random.h"
#include "tensor/isa.h"
#include "tensor/reference.h"

namespace cmbo::tensor {

using Floats = std::vector<float>;

// One output y of several inputs x. Kernels get exactly sized vectors, so that the address
// sanitizer sees every step beyond them.
struct KernelCase {
  std::string name;
  std::vector<size_t> input_sizes;
  std::function<reference::Array(const reference::Arrays& x)> twin;
  std::function<reference::Arrays(const reference::Arrays& x, const reference::Array& dy)>
      twin_backward;
  std::function<Floats(const std::vector<Floats>& x)> forward;
  std::function<std::vector<Floats>(const std::vector<Floats>& x, const Floats& dy)> backward;
  double tolerance = 2e-6;  // of an element, relative to the largest of its array or 1
};

// An output array: NaN where the kernel must set everything, or kAddedTo where it adds.
inline Floats unset(size_t n) {
  return Floats(n, std::numeric_limits<float>::quiet_NaN());
}
inline constexpr float kAddedTo = 0.5F;
inline Floats start_of_sum(size_t n) {
  return Floats(n, kAddedTo);
}
inline Floats without_start(Floats sums) {
  for (float& x : sums) x -= kAddedTo;
  return sums;
}

inline Floats random_floats(Random& random, size_t n) {
  Floats x(n);
  for (float& v : x) v = static_cast<float>(random.normal());
  return x;
}

inline reference::Array widen(const Floats& x) {
  return {x.begin(), x.end()};
}

inline double largest(const reference::Array& x) {
  double top = 1.0;
  for (const double v : x) top = std::max(top, std::abs(v));
  return top;
}

inline void expect_near(const Floats& actual, const reference::Array& expected, double tolerance) {
  ASSERT_EQ(actual.size(), expected.size());
  const double bound = tolerance * largest(expected);
  for (size_t i = 0; i < actual.size(); ++i) {
    ASSERT_NEAR(static_cast<double>(actual[i]), expected[i], bound) << "element " << i;
  }
}

// d/dh <dy, twin(x + h direction)> at 0 by a central difference of fourth order.
inline double slope(const KernelCase& c, const reference::Arrays& x,
                    const reference::Arrays& direction, const reference::Array& dy) {
  const auto at = [&](double h) {
    reference::Arrays moved = x;
    for (size_t a = 0; a < x.size(); ++a) {
      for (size_t i = 0; i < x[a].size(); ++i) moved[a][i] += h * direction[a][i];
    }
    const reference::Array y = c.twin(moved);
    double sum = 0.0;
    for (size_t i = 0; i < y.size(); ++i) sum += y[i] * dy[i];
    return sum;
  };
  const double h = 1e-3;
  return (8.0 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12.0 * h);
}

template <typename Array>
double inner(const Array& gradient, const reference::Array& direction) {
  double sum = 0.0;
  for (size_t i = 0; i < gradient.size(); ++i) {
    sum += static_cast<double>(gradient[i]) * direction[i];
  }
  return sum;
}

// Finite differences along one random direction for each input alone.
inline void check_gradients(const KernelCase& c, const reference::Arrays& x,
                            const reference::Array& dy, const reference::Arrays& twin_gradients,
                            const std::vector<Floats>& gradients) {
  Random random(99);
  for (size_t a = 0; a < x.size(); ++a) {
    SCOPED_TRACE("input " + std::to_string(a));
    reference::Arrays direction;
    for (const reference::Array& array : x) direction.emplace_back(array.size());
    double length = 0.0;
    for (double& d : direction[a]) length = std::max(length, std::abs(d = random.normal()));
    for (double& d : direction[a]) d /= std::max(length, 1.0);
    const double expected = slope(c, x, direction, dy);
    const double size = std::max(1.0, std::sqrt(inner(twin_gradients[a], twin_gradients[a]) *
                                                inner(direction[a], direction[a])));
    EXPECT_NEAR(inner(twin_gradients[a], direction[a]), expected, 1e-7 * size);
    EXPECT_NEAR(inner(gradients[a], direction[a]), expected, c.tolerance * size);
  }
}

inline void check_case(const KernelCase& c) {
  SCOPED_TRACE(c.name + " with " + isa_name(active_isa()));
  Random random(7);
  std::vector<Floats> x;
  reference::Arrays wide;
  for (const size_t n : c.input_sizes) {
    x.push_back(random_floats(random, n));
    wide.push_back(widen(x.back()));
  }
  const reference::Array y = c.twin(wide);
  expect_near(c.forward(x), y, c.tolerance);
  const Floats dy = random_floats(random, y.size());
  const reference::Arrays expected = c.twin_backward(wide, widen(dy));
  const std::vector<Floats> gradients = c.backward(x, dy);
  ASSERT_EQ(gradients.size(), expected.size());
  for (size_t a = 0; a < gradients.size(); ++a) {
    SCOPED_TRACE("gradient of input " + std::to_string(a));
    expect_near(gradients[a], expected[a], c.tolerance);
  }
  check_gradients(c, wide, widen(dy), expected, gradients);
}

// body() once for each instruction set of this machine.
template <typename F>
void for_each_isa(F body) {
  const Isa before = active_isa();
  for (const Isa isa : supported_isas()) {
    SCOPED_TRACE(isa_name(isa));
    use_isa(isa);
    body();
  }
  use_isa(before);
}

// The outputs of all instruction sets are those of the baseline, but for rounding.
inline void check_variants_agree(const KernelCase& c) {
  SCOPED_TRACE(c.name + " with all instruction sets");
  Random random(8);
  std::vector<Floats> x;
  for (const size_t n : c.input_sizes) x.push_back(random_floats(random, n));
  reference::Array baseline;
  for_each_isa([&] {
    const Floats y = c.forward(x);
    if (active_isa() == Isa::kBaseline) baseline = widen(y);
    expect_near(y, baseline, c.tolerance);
  });
}

inline void check_cases(const std::vector<KernelCase>& cases) {
  for_each_isa([&] {
    for (const KernelCase& c : cases) check_case(c);
  });
  for (const KernelCase& c : cases) check_variants_agree(c);
}

// Sizes around the widths of vectors and register tiles.
inline constexpr size_t kOddSizes[] = {1, 3, 7, 8, 17, 33, 65};

}  // namespace cmbo::tensor
