// SPDX-License-Identifier: Apache-2.0
#include "baselines/hyperband.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>

#include "baselines/brackets.h"
#include "baselines/tables_testing.h"

namespace cmbo::baselines {
namespace {

using ::testing::ElementsAre;

TEST(BracketsTest, AreThoseOfThePaper) {
  // Table 1 of Li et al.: R = 81, eta = 3.
  EXPECT_THAT(hyperband_brackets(81, 3),
              ElementsAre(Bracket{81, {1, 3, 9, 27, 81}}, Bracket{34, {3, 9, 27, 81}},
                          Bracket{15, {9, 27, 81}}, Bracket{8, {27, 81}}, Bracket{5, {81}}));
}

TEST(BracketsTest, EpochsAreRounded) {
  EXPECT_THAT(hyperband_brackets(50, 3),
              ElementsAre(Bracket{27, {2, 6, 17, 50}}, Bracket{12, {6, 17, 50}},
                          Bracket{6, {17, 50}}, Bracket{4, {50}}));
  EXPECT_THAT(hyperband_brackets(1, 3), ElementsAre(Bracket{1, {1}}));
  EXPECT_THAT(hyperband_brackets(2, 3), ElementsAre(Bracket{1, {2}}));
}

TEST(BracketsTest, SomeoneIsAlwaysPromoted) {
  EXPECT_EQ(promoted(27, 3), 9U);
  EXPECT_EQ(promoted(5, 3), 1U);
  EXPECT_EQ(promoted(1, 3), 1U);
}

// The value of configuration n is n / 100, whatever the epoch.
TEST(HyperbandTest, HalvesABracketAndBeginsTheNext) {
  constexpr size_t kMembers = 40, kRounds = 9;
  Hyperband hyperband({.eta = 3, .seed = 2});
  decide::History history(table_of(std::vector(kMembers, std::vector<float>(kRounds, 0.0F))));
  const auto run = [&](size_t steps) {
    std::map<uint32_t, size_t> counts;
    for (size_t b = 0; b < steps; ++b) {
      const uint32_t n = hyperband.choose(history).value().configuration;
      ++counts[n];
      history.add(n, static_cast<float>(n) / 100.0F);
    }
    return counts;
  };
  const auto first = run(9);  // s = 2: 9 x 1 epoch
  ASSERT_EQ(first.size(), 9U);
  std::vector<uint32_t> started;
  for (const auto& [n, count] : first) started.push_back(n);
  const auto second = run(6);  // the best 3 to epoch 3
  EXPECT_THAT(second, ElementsAre(std::pair(started[6], 2U), std::pair(started[7], 2U),
                                  std::pair(started[8], 2U)));
  EXPECT_THAT(run(6), ElementsAre(std::pair(started[8], 6U)));  // the best 1 to the end
  const auto next = run(15);                                    // s = 1: 5 x 3 epochs
  EXPECT_EQ(next.size(), 5U);
  for (const auto& [n, count] : next) {
    EXPECT_EQ(count, 3U);
    EXPECT_FALSE(first.contains(n));
  }
}

TEST(HyperbandTest, TrainingThatIsThereIsNotAskedFor) {
  Hyperband hyperband({.eta = 3, .seed = 2});
  decide::History history(table_of(std::vector(9, std::vector<float>(9, 0.0F))));
  for (uint32_t n = 0; n < 9; ++n) history.add(n, n == 4 ? 0.9F : 0.1F);
  EXPECT_EQ(hyperband.choose(history).value().configuration, 4U) << "the rung is complete";
}

}  // namespace
}  // namespace cmbo::baselines
