// SPDX-License-Identifier: Apache-2.0
#include "decide/acquisition.h"

#include <algorithm>
#include <chrono>
#include <gtest/gtest.h>

#include "decide/decide_testing.h"

namespace cmbo::decide {
namespace {

using forecast::Samples;

// The definition, word by word: every Δt and every sample from its beginning.
struct Brute {
  const Samples& samples;
  Standing standing;
  const Utility& utility;
  const Budget& budget;

  double utility_of(size_t q, size_t delta, size_t s) const {
    double best = static_cast<double>(standing.best);
    for (size_t i = 0; i <= delta; ++i) {
      best = std::max(best, static_cast<double>(samples.at(q, samples.lengths[q] + 1 + i)[s]));
    }
    return utility(cost(q, delta), best);
  }
  double cost(size_t q, size_t delta) const {
    return standing.spent + static_cast<double>(delta + 1) * budget.epoch_cost(samples.asked[q]);
  }
  size_t left(size_t q) const {
    size_t count = 0;
    while (count < samples.horizon - samples.lengths[q] && cost(q, count) <= budget.total) ++count;
    return count;
  }
  Prospect prospect(size_t q) const {
    Prospect best{.configuration = samples.asked[q]};
    for (size_t delta = 0; delta < left(q); ++delta) {
      double sum = 0;
      for (size_t s = 0; s < samples.count; ++s) {
        sum += std::max(0.0, utility_of(q, delta, s) - standing.utility);
      }
      const double mean = sum / static_cast<double>(samples.count);
      if (mean > best.acquisition + 1e-9) {
        best = {best.configuration, mean, static_cast<uint32_t>(delta)};
      }
    }
    return best;
  }
  double probability(size_t q) const {
    double largest = 0;
    for (size_t delta = left(q) == 1 ? 0 : 1; delta < left(q); ++delta) {
      double count = 0;
      for (size_t s = 0; s < samples.count; ++s) {
        count += utility_of(q, delta, s) > standing.utility ? 1 : 0;
      }
      largest = std::max(largest, count / static_cast<double>(samples.count));
    }
    return largest;
  }
  Look look(size_t q) const {
    if (left(q) == 0) return {};
    const size_t seen = std::min<size_t>(left(q), 5) - 1;
    const double idle = utility(cost(q, seen), static_cast<double>(standing.best));
    double sum = 0;
    for (size_t s = 0; s < samples.count; ++s) {
      double followed = utility_of(q, seen, s);
      for (size_t delta = seen; delta < left(q); ++delta) {
        followed = std::max(followed, utility_of(q, delta, s));
      }
      sum += followed - idle;
    }
    const double gain = sum / static_cast<double>(samples.count);
    return {static_cast<uint32_t>(seen + 1), standing.utility - idle, gain, gain};
  }
};

std::vector<Utility> utilities() {
  return {Utility::linear(0).value(), Utility::linear(0.01).value(),
          Utility::power(0.4, 0.5, 40).value(), Utility::table({}, {{0, 0}, {8, 0.4}}).value(),
          Utility::table({{0.2, 0}, {0.6, 1}, {0.8, 1.1}}, {{0, 0}, {20, 0.6}}).value()};
}

TEST(AcquisitionTest, AgreesWithEnumeration) {
  Random random(1);
  for (int round = 0; round < 60; ++round) {
    Samples samples = make_samples(1 + random.index(12));
    const size_t count = 1 + random.index(40);
    Budget budget{.total = random.uniform(5, 30)};
    for (uint32_t n = 0; n < 4; ++n) {
      add_future(samples, n, draw_curves(count, 1 + random.index(samples.horizon), random));
      budget.epoch_costs.push_back(random.uniform(0.5, 2));
    }
    for (const Utility& utility : utilities()) {
      Standing standing{.spent = random.uniform(0, 6), .best = 0.5F};
      standing.utility = utility(standing.spent, 0.5);
      const Brute brute{samples, standing, utility, budget};
      const std::vector<Prospect> found = prospects(samples, standing, utility, budget);
      for (size_t q = 0; q < 4; ++q) {
        const Prospect expected = brute.prospect(q);
        EXPECT_EQ(found[q].configuration, q);
        EXPECT_NEAR(found[q].acquisition, expected.acquisition, 3e-7) << utility.description();
        EXPECT_EQ(found[q].horizon, expected.horizon) << utility.description();
        EXPECT_EQ(probability_of_gain(samples, q, standing, utility, budget), brute.probability(q));
        const Look look = look_at(samples, q, standing, utility, budget), told = brute.look(q);
        EXPECT_EQ(look.epochs, told.epochs);
        EXPECT_NEAR(look.price, told.price, 1e-12) << utility.description();
        EXPECT_NEAR(look.gain, told.gain, 1e-12) << utility.description();
        EXPECT_EQ(look.foretold, look.gain);
      }
    }
  }
}

// Numbers that floats hold exactly; the expected values are worked out by hand.
class TinyTest : public testing::Test {
 protected:
  void SetUp() override {
    samples_.horizon = 3;
    // Utilities less U_prev, at Δt 0, 1, 2 with price 1/8 a step: (1/8, 1/4, 1/8), (-1/8, -1/4,
    // 1/8).
    add_future(samples_, 0, {{0.75F, 1.0F, 0.5F}, {0.25F, 0.5F, 1.0F}});
    add_future(samples_, 1, {{0.75F}, {0.5F}});
  }

  Samples samples_;
  Standing standing_{.spent = 2, .best = 0.5F, .utility = 0.25};
  Utility utility_ = Utility::linear(0.125).value();
  Budget budget_;
};

TEST_F(TinyTest, ByHand) {
  const std::vector<Prospect> found = prospects(samples_, standing_, utility_, budget_);
  EXPECT_EQ(found[0].acquisition, 0.125);
  EXPECT_EQ(found[0].horizon, 1U) << "the smallest of two that attain it";
  EXPECT_EQ(found[1].acquisition, 0.0625);
  EXPECT_EQ(found[1].horizon, 0U);
  EXPECT_EQ(probability_of_gain(samples_, 0, standing_, utility_, budget_), 1.0);
  EXPECT_EQ(probability_of_gain(samples_, 1, standing_, utility_, budget_), 0.5) << "one is left";
}

TEST_F(TinyTest, StepsBeyondTheBudgetDoNotCount) {
  const auto acquisition = [&](double total) {
    return prospects(samples_, standing_, utility_, {.total = total})[0].acquisition;
  };
  const auto probability = [&](double total) {
    return probability_of_gain(samples_, 0, standing_, utility_, {.total = total});
  };
  EXPECT_EQ(acquisition(4), 0.125);
  EXPECT_EQ(acquisition(3.5), 0.0625);
  EXPECT_EQ(acquisition(2.5), 0.0);
  EXPECT_EQ(probability(4), 0.5);
  EXPECT_EQ(probability(3), 0.5) << "only the next epoch is left";
  EXPECT_EQ(probability(2), 0.0) << "nothing is left";
}

TEST_F(TinyTest, AnEpochThatCostsTwiceIsTwiceAsDear) {
  const Budget dear{.epoch_costs = {2, 2}};
  const Utility half = Utility::linear(0.0625).value();
  Standing standing = standing_;
  standing.utility = half(standing.spent, 0.5);
  const Prospect twice = prospects(samples_, standing, half, dear)[0];
  EXPECT_EQ(twice.acquisition, 0.125);
  EXPECT_EQ(twice.horizon, 1U);
}

TEST_F(TinyTest, WithoutAPriceLongerIsNeverWorse) {
  const Utility free = Utility::linear(0).value();
  const Prospect found =
      prospects(samples_, {.spent = 2, .best = 0.5F, .utility = 0.5}, free, budget_)[0];
  EXPECT_EQ(found.acquisition, 0.5);
  EXPECT_EQ(found.horizon, 2U);
  EXPECT_EQ(probability_of_gain(samples_, 0, {.best = 1.0F, .utility = 1.0}, free, budget_), 0.0)
      << "the same utility is no gain";
}

TEST_F(TinyTest, ShiftingValuesAndUtilityTogetherChangesNothing) {
  Samples shifted = samples_;
  for (float& y : shifted.values) y -= 0.25F;
  const Standing lower{.spent = 2, .best = 0.25F, .utility = 0.0};
  const auto before = prospects(samples_, standing_, utility_, budget_);
  const auto after = prospects(shifted, lower, utility_, budget_);
  for (size_t q = 0; q < 2; ++q) {
    EXPECT_EQ(after[q].acquisition, before[q].acquisition);
    EXPECT_EQ(after[q].horizon, before[q].horizon);
    EXPECT_EQ(probability_of_gain(shifted, q, lower, utility_, budget_),
              probability_of_gain(samples_, q, standing_, utility_, budget_));
  }
}

TEST_F(TinyTest, FinalImprovementsLookAtTheLastEpochAlone) {
  EXPECT_EQ(final_improvements(samples_, 0.5F), (std::vector{0.25, 0.125}));
}

TEST(AcquisitionTest, AHigherPriceNeverPromisesMore) {
  Random random(2);
  Samples samples = make_samples(20);
  for (uint32_t n = 0; n < 8; ++n) add_future(samples, n, draw_curves(32, 20, random));
  std::vector<Prospect> last;
  for (const double alpha : {0.0, 0.001, 0.01, 0.02, 0.1}) {
    const Utility utility = Utility::linear(alpha).value();
    const Standing standing{.spent = 5, .best = 0.4F, .utility = utility(5, 0.4)};
    const std::vector<Prospect> found = prospects(samples, standing, utility, {});
    for (size_t q = 0; q < last.size(); ++q) {
      EXPECT_LE(found[q].acquisition, last[q].acquisition);
      EXPECT_LE(found[q].horizon, last[q].horizon);
    }
    last = found;
  }
}

// About 2 ms; the limit is generous, for sanitizers and busy machines.
TEST(AcquisitionTest, AThousandConfigurationsAreWeighedInMilliseconds) {
  Random random(3);
  Samples samples = make_samples(50);
  const Curves curves = draw_curves(64, 50, random);
  for (uint32_t n = 0; n < 1000; ++n) add_future(samples, n, curves);
  const Utility utility = Utility::linear(0.0002).value();
  double fastest = 1e9;
  for (int i = 0; i < 5; ++i) {
    const auto start = std::chrono::steady_clock::now();
    EXPECT_EQ(prospects(samples, {}, utility, {}).size(), 1000U);
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
    fastest = std::min(fastest, took.count());
  }
  RecordProperty("milliseconds", std::to_string(fastest));
  EXPECT_LT(fastest, 200.0);
}

}  // namespace
}  // namespace cmbo::decide
