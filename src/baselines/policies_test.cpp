// SPDX-License-Identifier: Apache-2.0
//
// The contract of policies, held by every baseline.
#include <functional>
#include <gtest/gtest.h>
#include <memory>
#include <set>

#include "base/random.h"
#include "baselines/asha.h"
#include "baselines/random_search.h"
#include "baselines/ranking.h"
#include "baselines/tables_testing.h"
#include "decide/loop.h"

namespace cmbo::baselines {
namespace {

constexpr size_t kCount = 12;
constexpr size_t kHorizon = 10;

// Rising curves, every fourth of which diverges: from then on 0.
curves::CurveTable random_table(uint64_t seed) {
  Random random(seed);
  std::vector<std::vector<float>> curves;
  for (size_t n = 0; n < kCount; ++n) {
    const double end = random.uniform(0.2, 1.0);
    std::vector<float> curve;
    for (size_t t = 1; t <= kHorizon; ++t) {
      const bool diverged = n % 4 == 0 && t > 3;
      curve.push_back(diverged ? 0.0F : static_cast<float>(end * static_cast<double>(t) / 10.0));
    }
    curves.push_back(curve);
  }
  return table_of(curves);
}

struct Baseline {
  const char* name;
  bool draws;
  std::function<std::unique_ptr<decide::Policy>(uint64_t seed)> make;
};

class PolicyContract : public ::testing::TestWithParam<Baseline> {
 protected:
  std::vector<decide::Step> steps_of(uint64_t seed, double budget, bool diverged = false) const {
    const auto policy = GetParam().make(seed);
    decide::LoopOptions options;
    options.budget = budget;
    options.stopping.enabled = false;
    const curves::CurveTable table = random_table(7);
    decide::Loop loop(table, decide::Utility::linear(0.0).value(), options, *policy);
    for (;;) {
      const decide::Decision decision = loop.ask().value();
      if (decision.stop) break;
      const uint32_t n = decision.choice.configuration;
      EXPECT_LT(loop.history().epochs(n), kHorizon) << "a finished epoch";
      loop.tell(n, diverged ? 0.0F : table.curve(n)[loop.history().epochs(n)]);
    }
    return {loop.history().steps().begin(), loop.history().steps().end()};
  }

  static std::vector<uint32_t> choices(const std::vector<decide::Step>& steps) {
    std::vector<uint32_t> chosen;
    for (const decide::Step& step : steps) chosen.push_back(step.configuration);
    return chosen;
  }
};

TEST_P(PolicyContract, TrainsEveryEpochOnceAndThenEnds) {
  EXPECT_EQ(steps_of(1, 1e6).size(), kCount * kHorizon);
}

TEST_P(PolicyContract, RespectsTheBudget) {
  EXPECT_EQ(steps_of(1, 25).size(), 25U);
}

TEST_P(PolicyContract, TheSameSeedGivesTheSameRun) {
  EXPECT_EQ(choices(steps_of(3, 60)), choices(steps_of(3, 60)));
  EXPECT_EQ(choices(steps_of(3, 60)) == choices(steps_of(4, 60)), !GetParam().draws);
}

TEST_P(PolicyContract, SurvivesCurvesThatAllDiverge) {
  EXPECT_EQ(steps_of(1, 1e6, true).size(), kCount * kHorizon);
}

TEST_P(PolicyContract, KnowsNoProbability) {
  const decide::History history(random_table(7));
  EXPECT_FALSE(GetParam().make(1)->choose(history).value().probability.has_value());
}

std::unique_ptr<decide::Policy> make_ranking(uint64_t) {
  const curves::CurveTable a = random_table(8), b = random_table(9);
  return std::make_unique<Ranking>(std::vector<const curves::CurveTable*>{&a, &b},
                                   decide::Utility::linear(0.01).value());
}

const Baseline kBaselines[] = {
    {"Random", true, [](uint64_t seed) { return std::make_unique<RandomSearch>(kCount, seed); }},
    {"Asha", true,
     [](uint64_t seed) {
       return std::make_unique<Asha>(kCount, kHorizon, AshaOptions{.seed = seed});
     }},
    {"Ranking", false, make_ranking},
};

INSTANTIATE_TEST_SUITE_P(Baselines, PolicyContract, ::testing::ValuesIn(kBaselines),
                         [](const auto& one) { return std::string(one.param.name); });

}  // namespace
}  // namespace cmbo::baselines
