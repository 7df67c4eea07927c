// SPDX-License-Identifier: Apache-2.0
#include "baselines/dehb.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <set>

#include "baselines/tables_testing.h"

namespace cmbo::baselines {
namespace {

constexpr size_t kPool = 300, kEpochs = 9;  // rungs 1, 3, 9; brackets of 9, 5, 3

// One coordinate; values peak at x = 0.8.
class DehbTest : public ::testing::Test {
 protected:
  float worth(uint32_t n) const { return 1.0F - std::abs(pool_.configuration(n)[0] - 0.8F); }
  uint32_t step() {
    const uint32_t n = dehb_.choose(history_).value().configuration;
    history_.add(n, worth(n));
    return n;
  }

  curves::CurveTable pool_ = table_of(std::vector(kPool, std::vector<float>(kEpochs, 0.0F)));
  Dehb dehb_{{.seed = 4}};
  decide::History history_{pool_};
};

TEST_F(DehbTest, TheFirstBracketHalvesARandomPopulation) {
  std::vector<uint32_t> started;
  for (int i = 0; i < 9; ++i) started.push_back(step());
  EXPECT_EQ(std::set(started.begin(), started.end()).size(), 9U);
  std::sort(started.begin(), started.end(),
            [&](uint32_t a, uint32_t b) { return worth(a) > worth(b); });
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(step(), started[i]) << "to epoch 3, the best first";
    EXPECT_EQ(step(), started[i]);
  }
  for (int i = 0; i < 6; ++i) EXPECT_EQ(step(), started[0]) << "to the end";
}

TEST_F(DehbTest, ChildrenComeNearTheOptimum) {
  std::set<uint32_t> early, late;
  while (history_.steps().size() < 21) early.insert(step());
  while (history_.steps().size() < 300) step();
  while (history_.steps().size() < 400) late.insert(step());
  const auto mean = [&](const std::set<uint32_t>& ns) {
    double sum = 0.0;
    for (const uint32_t n : ns) sum += static_cast<double>(worth(n));
    return sum / static_cast<double>(ns.size());
  };
  EXPECT_GT(mean(late), 0.9);
  EXPECT_GT(mean(late), mean(early) + 0.1);
}

}  // namespace
}  // namespace cmbo::baselines
