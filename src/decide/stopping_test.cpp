// SPDX-License-Identifier: Apache-2.0
#include "decide/stopping.h"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <numbers>

#include "decide/decide_testing.h"

namespace cmbo::decide {
namespace {

TEST(StoppingTest, TheThresholdOfAnEvenChanceIsOneFifth) {
  for (const double beta : {0.0, 0.1, std::exp(-1.0), 1.0, std::exp(3.0)}) {
    EXPECT_NEAR(threshold({.beta = beta}, 0.5), 0.2, 1e-12) << beta;
  }
}

TEST(StoppingTest, BetaCdfHasItsKnownForms) {
  for (const double p : {0.01, 0.3, 0.8}) {
    EXPECT_NEAR(threshold({.beta = 1, .gamma = 1}, p), p, 1e-12) << "uniform";
    EXPECT_NEAR(threshold({.beta = 2, .gamma = 1}, p), p * p * (3 - 2 * p), 1e-12);
    EXPECT_NEAR(threshold({.beta = 0.5, .gamma = 1}, p),
                2 / std::numbers::pi * std::asin(std::sqrt(p)), 1e-12)
        << "arcsine";
    EXPECT_NEAR(threshold({.beta = 1, .gamma = 3}, p), p * p * p, 1e-12);
  }
}

TEST(StoppingTest, BetaHasItsLimits) {
  for (const double beta : {0.0, 1e-300, 1e-14, 1e-6}) {
    EXPECT_NEAR(threshold({.beta = beta, .gamma = 2}, 0.01), 0.25, 1e-5) << beta;
    EXPECT_NEAR(threshold({.beta = beta, .gamma = 2}, 0.99), 0.25, 1e-5) << beta;
  }
  for (const double beta : {kInfinity, 1e300, 1e11, 1e6}) {
    EXPECT_NEAR(threshold({.beta = beta}, 0.49), 0.0, 1e-9) << beta;
    EXPECT_NEAR(threshold({.beta = beta, .gamma = 1}, 0.5), 0.5, 1e-9) << beta;
    EXPECT_NEAR(threshold({.beta = beta}, 0.51), 1.0, 1e-9) << beta;
  }
  for (const double beta : {0.0, 0.3, 20.0, kInfinity}) {
    EXPECT_EQ(threshold({.beta = beta}, 0.0), 0.0);
    EXPECT_EQ(threshold({.beta = beta}, 1.0), 1.0);
  }
}

TEST(StoppingTest, TheThresholdRisesWithTheProbability) {
  for (const double beta : {0.05, std::exp(-1.0), 1.0, 50.0}) {
    for (int i = 1; i <= 64; ++i) {
      EXPECT_GE(threshold({.beta = beta}, i / 64.0), threshold({.beta = beta}, (i - 1) / 64.0));
    }
  }
}

TEST(StoppingTest, WithoutAProbabilityTheThresholdIsFixed) {
  EXPECT_EQ(threshold({.fixed_threshold = 0.3}, std::nullopt), 0.3);
}

TEST(StoppingTest, Regret) {
  EXPECT_NEAR(estimated_regret(0.8, 0.7, 0.3), 0.2, 1e-12);
  EXPECT_EQ(estimated_regret(0.8, 0.8, 0.3), 0.0);
  EXPECT_EQ(estimated_regret(0.5, 0.5, 0.5), 0.0) << "undefined: never stop";
  EXPECT_NEAR(estimated_regret(10.8, 10.7, 10.3), 0.2, 1e-12) << "a shift changes nothing";
}

TEST(StoppingTest, ThePapersRuleIsStrict) {
  for (const StopBy by : {StopBy::kRegret, StopBy::kLook}) {  // which without a look is the paper's
    EXPECT_FALSE(should_stop({.by = by}, {.regret = 0.2, .threshold = 0.2}));
    EXPECT_TRUE(should_stop({.by = by}, {.regret = 0.21, .threshold = 0.2}));
    EXPECT_FALSE(should_stop({.by = by}, {.regret = 0, .threshold = 0}));
    EXPECT_FALSE(should_stop({.enabled = false, .by = by}, {.regret = 1, .threshold = 0}));
  }
}

TEST(StoppingTest, TheRuleOfTheLookComparesGainAndPrice) {
  const StoppingRule rule{.by = StopBy::kLook};
  const auto stops = [&](double gain) {
    const Look look{.price = 0.02, .gain = gain};
    return should_stop(rule, {.regret = 1.0, .threshold = 0.2, .look = look});
  };
  EXPECT_TRUE(stops(0.019));
  EXPECT_FALSE(stops(0.02)) << "whatever the regret";
  EXPECT_FALSE(should_stop(rule, {.look = Look{}})) << "free looks are never too dear";
  EXPECT_FALSE(should_stop({.by = StopBy::kRegret}, {.look = Look{.price = 1}}));
  EXPECT_FALSE(should_stop({.enabled = false, .by = StopBy::kLook}, {.look = Look{.price = 1}}));
}

TEST(StoppingTest, NumbersWithoutSenseAreRefused) {
  EXPECT_TRUE(check({}).ok());
  EXPECT_TRUE(check({.beta = 0}).ok());
  EXPECT_TRUE(check({.beta = kInfinity}).ok());
  EXPECT_THAT(check({.beta = -1}).error().message(), testing::HasSubstr("beta"));
  EXPECT_THAT(check({.beta = std::nan("")}).error().message(), testing::HasSubstr("beta"));
  EXPECT_THAT(check({.gamma = kInfinity}).error().message(), testing::HasSubstr("gamma"));
  EXPECT_THAT(check({.fixed_threshold = -1}).error().message(), testing::HasSubstr("threshold"));
}

}  // namespace
}  // namespace cmbo::decide
