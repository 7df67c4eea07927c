// SPDX-License-Identifier: Apache-2.0
#include "baselines/asha.h"

#include <gtest/gtest.h>

#include "baselines/tables_testing.h"

namespace cmbo::baselines {
namespace {

// A history of nothing, and what each configuration is worth at any epoch.
class AshaTest : public ::testing::Test {
 protected:
  static constexpr size_t kCount = 9;
  static constexpr size_t kHorizon = 10;

  uint32_t next() { return asha_.choose(history_).value().configuration; }
  uint32_t step(float value) {
    const uint32_t n = next();
    history_.add(n, value);
    return n;
  }

  Asha asha_{{.eta = 3, .seed = 5}};
  decide::History history_{table_of(std::vector(kCount, std::vector<float>(kHorizon, 0.0F)))};
};

TEST_F(AshaTest, PromotesTheBestOfThree) {
  const uint32_t first = step(0.1F), second = step(0.3F), third = step(0.2F);
  EXPECT_NE(first, second);
  EXPECT_NE(second, third);
  EXPECT_EQ(step(0.3F), second) << "promoted";
  EXPECT_EQ(history_.epochs(second), 2U);
  EXPECT_EQ(step(0.3F), second) << "goes on to the rung of 3 epochs";
  const uint32_t fourth = next();
  EXPECT_EQ(history_.epochs(fourth), 0U) << "1 of 3 was promoted; a new one is started";
}

TEST_F(AshaTest, PromotesFromTheHighestRungFirst) {
  for (uint32_t n = 0; n < 3; ++n) {
    for (int epoch = 0; epoch < 3; ++epoch) history_.add(n, 0.1F * static_cast<float>(n));
  }
  for (uint32_t n = 3; n < 9; ++n) history_.add(n, 0.9F);
  // Rung 1 has 9, of which the first three by value are promotable; rung 3 has 3, and 2 is best.
  EXPECT_EQ(next(), 2U);
}

TEST_F(AshaTest, NeverLeavesABudgetUnused) {
  Asha two;
  decide::History history(table_of(std::vector(2, std::vector<float>(kHorizon, 0.0F))));
  history.add(0, 0.1F);
  history.add(1, 0.4F);
  EXPECT_EQ(two.choose(history).value().configuration, 1U) << "2 / 3 = 0 may be promoted";
}

TEST_F(AshaTest, AHorizonOfOneEpochHasNoPromotions) {
  Asha short_one;
  decide::History history(table_of(std::vector(3, std::vector<float>(1, 0.0F))));
  for (int i = 0; i < 3; ++i) history.add(short_one.choose(history).value().configuration, 0.5F);
  EXPECT_TRUE(history.candidates().empty());
}

}  // namespace
}  // namespace cmbo::baselines
