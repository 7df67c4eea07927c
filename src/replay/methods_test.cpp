// SPDX-License-Identifier: Apache-2.0
//
// The contract of policies, held by every method that can be replayed.
#include "replay/methods.h"

#include <array>
#include <cmath>
#include <deque>
#include <gtest/gtest.h>
#include <set>

#include "base/random.h"
#include "decide/loop.h"
#include "forecast/test_model.h"

namespace cmbo::replay {
namespace {

constexpr size_t kCount = 8;
constexpr size_t kHorizon = 6;

// Rising curves; every fourth diverges after the second epoch. The configurations depend on the
// size alone, so tables of one size share a pool.
curves::CurveTable random_table(uint64_t seed, size_t count = kCount, size_t horizon = kHorizon) {
  curves::CurveTable table;
  table.dimensions = 2;
  table.horizon = horizon;
  table.initial = 0.1F;
  Random places(11), values(seed);
  for (size_t n = 0; n < count; ++n) {
    const curves::CurveTable::Row row = table.add(horizon);
    for (float& x : row.x) x = static_cast<float>(places.uniform());
    const double end = values.uniform(0.2, 1.0);
    for (size_t t = 1; t <= horizon; ++t) {
      const double y = end * (1.0 - std::exp(-static_cast<double>(t) / 3.0));
      row.y[t - 1] = n % 4 == 0 && t > 2 ? 0.0F : static_cast<float>(y);
    }
  }
  return table;
}

using Choices = std::vector<uint32_t>;

struct Training {
  std::array<curves::CurveTable, 2> tables;
  std::array<const curves::CurveTable*, 2> pointers;
};

class MethodContract : public ::testing::TestWithParam<Method> {
 protected:
  std::unique_ptr<decide::Policy> make(const curves::CurveTable& pool, uint64_t seed = 1) {
    return make(pool, seed, utility_);
  }
  std::unique_ptr<decide::Policy> make(const curves::CurveTable& pool, uint64_t seed,
                                       const decide::Utility& utility) {
    Training& training = trainings_.emplace_back();
    for (size_t m = 0; m < 2; ++m) {
      training.tables[m] = random_table(8 + m, pool.size(), pool.horizon);
      training.pointers[m] = &training.tables[m];
    }
    return GetParam().make({.pool = pool,
                            .utility = utility,
                            .budget = 1000,
                            .seed = seed,
                            .effort = 0.01,
                            .sampling = {.count = 8},
                            .model = &model_,
                            .prior_model = &model_,
                            .training_tables = training.pointers});
  }

  // A search to its budget or end; every step is checked.
  Choices search(const curves::CurveTable& table, double budget, uint64_t seed = 1) {
    decide::LoopOptions options;
    options.budget = budget;
    return search(table, options, seed);
  }
  Choices search(const curves::CurveTable& table, decide::LoopOptions options, uint64_t seed = 1) {
    const auto policy = make(table, seed);
    options.stopping.enabled = false;
    decide::Loop loop(table, utility_, options, *policy);
    std::set<std::pair<uint32_t, uint32_t>> done;
    Choices choices;
    for (;;) {
      const decide::Decision decision = loop.ask().value();
      if (decision.stop) break;
      const uint32_t n = decision.choice.configuration;
      const uint32_t epochs = loop.history().epochs(n);
      EXPECT_LT(epochs, table.horizon) << "a finished epoch";
      EXPECT_TRUE(done.insert({n, epochs}).second) << "the same work twice";
      choices.push_back(n);
      loop.tell(n, table.curve(n)[epochs]);
    }
    return choices;
  }

  const network::Model model_ = forecast::test_model();
  const decide::Utility utility_ = decide::Utility::linear(0.0).value();
  std::deque<Training> trainings_;  // they outlive the policies
};

TEST_P(MethodContract, TrainsEveryEpochOnceAndThenEnds) {
  EXPECT_EQ(search(random_table(7), 1e6).size(), kCount * kHorizon);
}

TEST_P(MethodContract, RespectsTheBudget) {
  EXPECT_EQ(search(random_table(7), 13).size(), 13U);
}

TEST_P(MethodContract, TheSeedDecidesWhereItMatters) {
  const curves::CurveTable table = random_table(7);
  const Choices first = search(table, 20, 3);
  EXPECT_EQ(search(table, 20, 3), first);
  bool all_same = true;
  for (uint64_t seed = 4; seed <= 8; ++seed) all_same &= search(table, 20, seed) == first;
  EXPECT_EQ(all_same, !GetParam().draws);
}

TEST_P(MethodContract, SurvivesCurvesThatAllDiverge) {
  curves::CurveTable table = random_table(7);
  for (size_t i = 0; i < table.y.size(); ++i) table.y[i] = i % 3 == 0 ? std::nanf("") : 0.0F;
  EXPECT_EQ(search(table, 1e6).size(), kCount * kHorizon);
}

TEST_P(MethodContract, SurvivesPoolsOfOneAndTwo) {
  EXPECT_EQ(search(random_table(7, 1), 1e6), Choices(kHorizon, 0));
  EXPECT_EQ(search(random_table(7, 2), 1e6).size(), 2 * kHorizon);
}

TEST_P(MethodContract, SurvivesAHorizonOfOneEpoch) {
  EXPECT_EQ(search(random_table(7, kCount, 1), 1e6).size(), kCount);
}

// Asked again, asked by a policy that knows nothing of the way there, and asked after later ones.
TEST_P(MethodContract, AnswersByTheHistoryAlone) {
  const curves::CurveTable table = random_table(7);
  const auto policy = make(table);
  const auto choose = [](decide::Policy& asked, const decide::History& history) {
    return asked.choose(history).value().configuration;
  };
  decide::History history(table), early(table);
  Choices choices;
  for (size_t b = 0; b < 20; ++b) {
    choices.push_back(choose(*policy, history));
    EXPECT_EQ(choose(*policy, history), choices[b]);
    if (b % 6 == 5) {
      EXPECT_EQ(choose(*make(table), history), choices[b]) << "step " << b + 1;
    }
    history.add(choices[b], table.curve(choices[b])[history.epochs(choices[b])]);
  }
  for (size_t b = 0; b < 5; ++b) {
    early.add(choices[b], table.curve(choices[b])[early.epochs(choices[b])]);
  }
  EXPECT_EQ(choose(*policy, early), choices[5]);
}

// What the replay of several prices builds on (memory.h).
TEST_P(MethodContract, ThePriceMattersOnlyWhereSaid) {
  const curves::CurveTable table = random_table(7);
  const decide::Utility priced = decide::Utility::linear(0.05).value();
  const auto free_policy = make(table), priced_policy = make(table, 1, priced);
  decide::History history(table);
  bool all_same = true;
  for (size_t b = 0; b < 20; ++b) {
    const uint32_t n = free_policy->choose(history).value().configuration;
    all_same &= priced_policy->choose(history).value().configuration == n;
    history.add(n, table.curve(n)[history.epochs(n)]);
  }
  EXPECT_EQ(all_same, !GetParam().uses_utility);
}

TEST_P(MethodContract, TakesOverWhatOthersBegan) {
  const curves::CurveTable table = random_table(7);
  decide::History history(table);
  Random random(5);
  for (size_t b = 0; b < 15; ++b) {
    const std::vector<uint32_t> open = history.candidates();
    history.add(open[random.index(open.size())], 0.5F);
  }
  const auto policy = make(table);
  for (size_t b = 0; b < 5; ++b) {
    const uint32_t n = policy->choose(history).value().configuration;
    ASSERT_LT(n, table.size());
    ASSERT_FALSE(history.finished(n));
    history.add(n, table.curve(n)[history.epochs(n)]);
  }
}

TEST_P(MethodContract, RespectsTheBudgetWhereCostsDiffer) {
  decide::LoopOptions options{.budget = 20};
  for (size_t n = 0; n < kCount; ++n) {
    options.epoch_costs.push_back(0.5 * (1.0 + static_cast<double>(n)));
  }
  double spent = 0.0;
  for (const uint32_t n : search(random_table(7), options)) spent += options.epoch_costs[n];
  EXPECT_LE(spent, 20.0);
  EXPECT_GT(spent, 10.0) << "what is left must be too little for what it wanted";
}

// As in a study with two workers, one of which may fail.
TEST_P(MethodContract, NeverChoosesWhatIsWithheld) {
  const curves::CurveTable table = random_table(7);
  const auto policy = make(table);
  decide::History known(table);
  std::optional<uint32_t> busy;  // with the other worker
  std::set<uint32_t> failed;
  for (size_t b = 0; b < (kCount - 2) * kHorizon; ++b) {
    decide::History history = known;
    if (busy) history.withhold(*busy);
    for (const uint32_t n : failed) history.withhold(n);
    if (history.candidates().empty()) break;
    const uint32_t n = policy->choose(history).value().configuration;
    ASSERT_TRUE(history.is_candidate(n)) << "step " << b + 1;
    if (b % 12 == 8) {
      EXPECT_EQ(make(table)->choose(history).value().configuration, n) << "step " << b + 1;
    }
    if (busy && b % 20 == 7) failed.insert(*busy);
    if (busy && failed.count(*busy) == 0) known.add(*busy, table.curve(*busy)[known.epochs(*busy)]);
    busy = n;
  }
  EXPECT_GT(known.steps().size(), 3 * kHorizon);
}

TEST_P(MethodContract, GoesOnWhenThePoolGrows) {
  if (GetParam().needs_training) GTEST_SKIP() << "its training tasks have the pool of the start";
  const curves::CurveTable whole = random_table(7, kCount + 4);
  curves::CurveTable table = random_table(7);
  const auto policy = make(table);
  std::vector<decide::Step> steps;
  while (steps.size() < (kCount + 4) * kHorizon) {
    if (steps.size() == 15) table = whole;
    decide::History history(table);
    for (const decide::Step& step : steps) history.add(step.configuration, step.value);
    const uint32_t n = policy->choose(history).value().configuration;
    ASSERT_TRUE(history.is_candidate(n)) << "step " << steps.size() + 1;
    if (steps.size() % 10 == 8) {
      EXPECT_EQ(make(table)->choose(history).value().configuration, n);
    }
    steps.push_back({n, history.epochs(n) + 1, whole.curve(n)[history.epochs(n)]});
  }
}

TEST_P(MethodContract, OnlyOursKnowsAProbability) {
  const curves::CurveTable table = random_table(7);
  const decide::Choice choice = make(table)->choose(decide::History(table)).value();
  EXPECT_EQ(choice.probability.has_value(), GetParam().name == "cmbo");
}

INSTANTIATE_TEST_SUITE_P(Methods, MethodContract, ::testing::ValuesIn(methods()),
                         [](const auto& one) { return std::string(one.param.name); });

TEST(MethodsTest, AreFoundByName) {
  for (const Method& method : methods()) EXPECT_EQ(find_method(method.name), &method);
  EXPECT_EQ(find_method("magic"), nullptr);
}

}  // namespace
}  // namespace cmbo::replay
