// SPDX-License-Identifier: Apache-2.0
#include "space/pool.h"

#include <algorithm>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unordered_set>

namespace cmbo::space {
namespace {

bool all_different(const std::vector<Configuration>& pool) {
  const std::unordered_set<Configuration, Configuration::Hash> set(pool.begin(), pool.end());
  return set.size() == pool.size();
}

TEST(PoolTest, IsReproducibleAndWithoutDuplicates) {
  const Space space = Space::from_yaml(R"(
lr: {type: float, low: 1e-5, high: 0.1, log: true}
opt: {type: categorical, choices: [sgd, adam]}
m: {type: float, low: 0, high: 1, when: {opt: sgd}}
n: {type: int, low: 1, high: 512, log: true})")
                          .value();
  const auto pool = sobol_pool(space, 1000, 3);
  EXPECT_EQ(pool.size(), 1000u);
  EXPECT_TRUE(all_different(pool));
  EXPECT_EQ(pool, sobol_pool(space, 1000, 3));
  EXPECT_NE(pool, sobol_pool(space, 1000, 4));
  const auto smaller = sobol_pool(space, 100, 3);
  EXPECT_TRUE(std::equal(smaller.begin(), smaller.end(), pool.begin()));
}

TEST(PoolTest, CoversTheSpaceEvenly) {
  const Space space = Space::from_yaml(R"(
a: {type: float, low: 0, high: 1}
b: {type: float, low: 0, high: 1})")
                          .value();
  int cells[16][16] = {};
  for (const Configuration& c : sobol_pool(space, 1024, 9)) {
    ++cells[static_cast<int>(c[0] * 16)][static_cast<int>(c[1] * 16)];
  }
  // 1024 points of a two-dimensional (0,2)-sequence: four in each of 256 cells.
  for (const auto& row : cells) {
    for (const int count : row) EXPECT_EQ(count, 4);
  }
}

TEST(PoolTest, SmallSpacesAreExhausted) {
  const Space space = Space::from_yaml(R"(
a: {type: int, low: 1, high: 7}
b: {type: categorical, choices: [x, y]}
c: {type: int, low: 1, high: 3, when: {b: x}})")
                          .value();
  EXPECT_EQ(sobol_pool(space, 1000, 1).size(), 28u);  // 7 * (3 + 1)
  const auto part = sobol_pool(space, 20, 1);
  EXPECT_EQ(part.size(), 20u);
  EXPECT_TRUE(all_different(part));
  EXPECT_EQ(sobol_pool(Space(), 5, 1).size(), 1u);
}

TEST(PoolTest, HiddenConfigurationsDoNotHangIt) {
  std::string yaml = "a0: {type: int, low: 1, high: 100}\n";
  for (int i = 1; i < 8; ++i) {
    yaml += fmt::format("a{}: {{type: int, low: 1, high: 100, when: {{a{}: 7}}}}\n", i, i - 1);
  }
  const auto pool = sobol_pool(Space::from_yaml(yaml).value(), 180, 1);
  EXPECT_GT(pool.size(), 100u);
  EXPECT_TRUE(all_different(pool));
}

TEST(PoolTest, SkewedDiscreteSpacesFillUp) {
  const Space space = Space::from_yaml("n: {type: int, low: 1, high: 5000, log: true}").value();
  const auto pool = sobol_pool(space, 1200, 1);
  EXPECT_EQ(pool.size(), 1200u);
  EXPECT_TRUE(all_different(pool));
}

}  // namespace
}  // namespace cmbo::space
