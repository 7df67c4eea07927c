// SPDX-License-Identifier: Apache-2.0
//
// What every baseline with a model of its own must do, with models small enough for a test.
#include <gtest/gtest.h>

#include "baselines/dpl.h"
#include "baselines/dyhpo.h"
#include "baselines/freezethaw.h"
#include "baselines/fsbo.h"
#include "baselines/learning_testing.h"
#include "baselines/quicktune.h"
#include "baselines/random_search.h"

namespace cmbo::baselines {
namespace {

using curves::CurveTable;
using PolicyPointer = std::unique_ptr<decide::Policy>;
using Tables = std::vector<const CurveTable*>;

struct Learner {
  const char* name;
  bool draws;
  PolicyPointer (*make)(const CurveTable& pool, uint64_t seed);
};

PolicyPointer small_dyhpo(const CurveTable& pool, uint64_t seed) {
  return std::make_unique<DyHpo>(pool, DyHpoOptions{.widths = {8, 8},
                                                    .channels = 2,
                                                    .full_trainings = 4,
                                                    .full_updates = 100,
                                                    .refine_updates = 15,
                                                    .learning_rate = 1e-2F,
                                                    .seed = seed});
}

PolicyPointer small_dpl(const CurveTable& pool, uint64_t seed) {
  return std::make_unique<Dpl>(pool, DplOptions{.members = 3,
                                                .hidden = {16, 16},
                                                .full_trainings = 4,
                                                .full_rounds = 60,
                                                .refine_rounds = 10,
                                                .learning_rate = 5e-3F,
                                                .seed = seed});
}

// Learns from the pool's own curves: transfer at its easiest.
PolicyPointer small_quick_tune(const CurveTable& pool, uint64_t) {
  QuickTuneOptions options{.pretraining_updates = 200, .batch = 24, .pretraining_rate = 1e-2F};
  options.run.widths = {8, 8};
  options.run.refine_updates = 5;
  return std::make_unique<DyHpo>(make_quick_tune(Tables{&pool}, options));
}

PolicyPointer small_fsbo(const CurveTable& pool, uint64_t) {
  return std::make_unique<Fsbo>(Tables{&pool}, FsboOptions{.widths = {8, 8},
                                                           .batch = 24,
                                                           .pretraining_updates = 200,
                                                           .pretraining_rate = 1e-2F,
                                                           .tuning_updates = 20});
}

PolicyPointer small_freeze_thaw(const CurveTable& pool, uint64_t seed) {
  return std::make_unique<FreezeThaw>(pool, FreezeThawOptions{.fit_every = 4, .seed = seed});
}

constexpr Learner kLearners[] = {
    {"DyHpo", true, small_dyhpo},
    {"Dpl", true, small_dpl},
    {"QuickTune", false, small_quick_tune},
    {"Fsbo", false, small_fsbo},
    {"FreezeThaw", true, small_freeze_thaw},
};

class LearnerTest : public ::testing::TestWithParam<Learner> {
 protected:
  static std::vector<uint32_t> run(const CurveTable& table, double budget, uint64_t seed) {
    const PolicyPointer policy = GetParam().make(table, seed);
    return run_of(*policy, table, budget);
  }
};

TEST_P(LearnerTest, FindsTheTopOfAHillSoonerThanRandomSearch) {
  const CurveTable table = hill_table(60, 5);
  double learned = 0.0, random = 0.0;
  for (uint64_t seed = 1; seed <= 3; ++seed) {
    learned += share_above(table, run(table, 40, seed)) / 3.0;
    RandomSearch search(seed);
    random += share_above(table, run_of(search, table, 40)) / 3.0;
  }
  EXPECT_LT(learned, 0.05);
  EXPECT_LT(learned, random);
}

TEST_P(LearnerTest, TheSameSeedGivesTheSameRun) {
  const CurveTable table = hill_table(12, 4, true);
  EXPECT_EQ(run(table, 20, 3), run(table, 20, 3));
  EXPECT_EQ(run(table, 20, 3) == run(table, 20, 8), !GetParam().draws);
}

// Asked without having seen the steps before, and again after another history.
TEST_P(LearnerTest, ChoosesByTheHistoryAlone) {
  const CurveTable table = hill_table(12, 4, true);
  const PolicyPointer usual = GetParam().make(table, 1), late = GetParam().make(table, 1);
  decide::History history(table), other(table);
  for (int step = 0; step < 9; ++step) {
    const uint32_t n = usual->choose(history).value().configuration;
    history.add(n, table.curve(n)[history.epochs(n)]);
  }
  other.add(3, 0.5F);
  EXPECT_TRUE(late->choose(other).ok());
  const uint32_t expected = usual->choose(history).value().configuration;
  EXPECT_EQ(late->choose(history).value().configuration, expected);
  EXPECT_EQ(usual->choose(history).value().configuration, expected);
}

TEST_P(LearnerTest, TrainsEverythingOnceWhereHalfDiverges) {
  const CurveTable table = hill_table(9, 4, true);
  EXPECT_EQ(run(table, 1e6, 1).size(), 36U);
}

TEST_P(LearnerTest, LivesWithOneConfigurationAndWithOneEpoch) {
  EXPECT_EQ(run(hill_table(1, 5), 1e6, 1), std::vector<uint32_t>(5, 0U));
  EXPECT_EQ(run(hill_table(9, 1), 1e6, 1).size(), 9U);
}

TEST_P(LearnerTest, SurvivesNothingButZeros) {
  CurveTable table = hill_table(6, 4);
  std::fill(table.y.begin(), table.y.end(), 0.0F);
  EXPECT_EQ(run(table, 1e6, 1).size(), 24U);
}

INSTANTIATE_TEST_SUITE_P(Baselines, LearnerTest, ::testing::ValuesIn(kLearners),
                         [](const auto& one) { return std::string(one.param.name); });

TEST(FsboTest, TrainsToTheEndBeforeTheNextStartingWithTheBestOfTraining) {
  const CurveTable table = hill_table(12, 4);
  const PolicyPointer policy = small_fsbo(table, 1);
  const std::vector<uint32_t> chosen = run_of(*policy, table, 12);
  EXPECT_EQ(share_above(table, std::span(chosen).first(1)), 0.0);
  for (size_t i = 0; i < 12; ++i) EXPECT_EQ(chosen[i], chosen[i / 4 * 4]);
  EXPECT_NE(chosen[0], chosen[4]);
}

TEST(QuickTuneTest, StartsWithTheBestOfTraining) {
  const CurveTable table = hill_table(12, 4);
  const PolicyPointer policy = small_quick_tune(table, 1);
  EXPECT_EQ(share_above(table, run_of(*policy, table, 1)), 0.0);
}

TEST(DyHpoRowsTest, HoldConfigurationEpochAndTheCurveBefore) {
  const CurveTable table = hill_table(2, 5);
  std::vector<float> rows;
  add_dyhpo_row(table, 1, 3, rows);
  const auto x = table.configuration(1);
  const auto y = table.curve(1);
  EXPECT_EQ(rows, (std::vector<float>{x[0], x[1], 0.6F, y[0], y[1], 0.0F, 0.0F}));
  EXPECT_EQ(dyhpo_shape({}, table).row(), rows.size());
}

}  // namespace
}  // namespace cmbo::baselines
