// SPDX-License-Identifier: Apache-2.0
#include "baselines/ifbo.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <set>

#include "baselines/tables_testing.h"

namespace cmbo::baselines {
namespace {

constexpr size_t kLength = 10;

using Curves = std::vector<std::vector<float>>;  // samples of one configuration

// Three samples of one configuration: `early` at epochs 1 to 5, then `late`.
Curves futures(float early, float late) {
  std::vector<float> curve(kLength, late);
  std::fill(curve.begin(), curve.begin() + 5, early);
  return Curves(3, curve);
}

EpochForecaster fixed_futures(std::vector<Curves> all) {
  return [all = std::move(all)](const forecast::EpochQuestion& question) {
    std::vector<float> samples;
    for (const uint32_t n : question.asked) {
      const size_t epoch = std::min<size_t>(question.history.lengths[n] + question.ahead, kLength);
      for (const std::vector<float>& curve : all[n]) samples.push_back(curve[epoch - 1]);
    }
    return samples;
  };
}

std::set<uint32_t> chosen_over_seeds(const std::vector<Curves>& all, float observed) {
  decide::History history(table_of(std::vector(all.size(), std::vector<float>(kLength, 0.0F))));
  history.add(0, observed);
  std::set<uint32_t> chosen;
  for (uint64_t seed = 1; seed <= 40; ++seed) {
    chosen.insert(Ifbo(fixed_futures(all), seed).choose(history).value().configuration);
  }
  return chosen;
}

TEST(IfboTest, TheHorizonIsDrawn) {
  // 1 is good soon, 2 late; the observed 0 stays where it is.
  const std::set<uint32_t> chosen =
      chosen_over_seeds({futures(0.1F, 0.1F), futures(0.9F, 0.0F), futures(0.0F, 0.9F)}, 0.1F);
  EXPECT_EQ(chosen, (std::set<uint32_t>{1, 2}));
}

TEST(IfboTest, TheThresholdIsDrawn) {
  // 1 is better by a little for sure, 2 by much with one chance in three.
  Curves risky(3, std::vector<float>(kLength, 0.0F));
  risky[2].assign(kLength, 0.9F);
  const std::set<uint32_t> chosen =
      chosen_over_seeds({futures(0.5F, 0.5F), futures(0.505F, 0.505F), risky}, 0.5F);
  EXPECT_EQ(chosen, (std::set<uint32_t>{1, 2}));
}

TEST(IfboTest, AmongEqualChancesTheLargestSampleWins) {
  const std::set<uint32_t> chosen =
      chosen_over_seeds({futures(0.1F, 0.1F), futures(0.2F, 0.2F), futures(0.1F, 0.1F)}, 0.99F);
  EXPECT_EQ(chosen, (std::set<uint32_t>{1}));
}

TEST(IfboTest, StartsAnywhere) {
  const decide::History history(table_of(std::vector(3, std::vector<float>(kLength, 0.0F))));
  std::set<uint32_t> chosen;
  for (uint64_t seed = 1; seed <= 40; ++seed) {
    Ifbo ifbo(fixed_futures({}), seed);
    chosen.insert(ifbo.choose(history).value().configuration);
  }
  EXPECT_EQ(chosen.size(), 3U);
}

}  // namespace
}  // namespace cmbo::baselines
