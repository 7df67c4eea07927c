// SPDX-License-Identifier: Apache-2.0
#include "replay/memory.h"

#include <gtest/gtest.h>

#include "baselines/asha.h"
#include "baselines/tables_testing.h"
#include "replay/run.h"

namespace cmbo::replay {
namespace {

// Asha that counts its choices; each takes a second.
class CountedAsha : public baselines::Asha {
 public:
  CountedAsha(ManualClock& clock, size_t& asked) : clock_(clock), asked_(asked) {}

  Result<decide::Choice> choose(const decide::History& history) override {
    clock_.advance(1.0);
    ++asked_;
    return Asha::choose(history);
  }

 private:
  ManualClock& clock_;
  size_t& asked_;
};

class MemoryTest : public ::testing::Test {
 protected:
  std::unique_ptr<decide::Policy> counted() {
    return std::make_unique<CountedAsha>(clock_, asked_);
  }

  RunOutcome replay(double alpha, decide::Policy& policy) {
    const decide::Utility utility = decide::Utility::linear(alpha).value();
    return run({.table = table_,
                .utility = utility,
                .loop = {.budget = 12},
                .clock = clock_,
                .proceed = [] { return true; }},
               policy)
        .value()
        .value();
  }

  curves::CurveTable table_ = baselines::table_of({{0.1F, 0.2F, 0.3F, 0.4F, 0.5F},
                                                   {0.4F, 0.5F, 0.5F, 0.5F, 0.5F},
                                                   {0.2F, 0.6F, 0.7F, 0.8F, 0.8F},
                                                   {0.5F, 0.5F, 0.6F, 0.6F, 0.6F}});
  ManualClock clock_;
  size_t asked_ = 0;
};

TEST_F(MemoryTest, RunsAreAsIfEachHadItsOwnPolicy) {
  Memory memory(counted(), clock_);
  std::vector<size_t> lengths;
  for (const double alpha : {0.02, 0.0, 0.2}) {
    RunOutcome shared = replay(alpha, memory);
    shared.decision_seconds += memory.take_saved_seconds();
    const RunOutcome alone = replay(alpha, *counted());
    ASSERT_EQ(shared.steps.size(), alone.steps.size()) << alpha;
    for (size_t b = 0; b < alone.steps.size(); ++b) {
      EXPECT_EQ(shared.steps[b].configuration, alone.steps[b].configuration) << alpha;
      EXPECT_EQ(shared.steps[b].regret, alone.steps[b].regret) << alpha;
    }
    EXPECT_EQ(shared.stopped_at, alone.stopped_at) << alpha;
    EXPECT_EQ(shared.reason, alone.reason) << alpha;
    EXPECT_EQ(shared.decisions, alone.decisions) << alpha;
    EXPECT_EQ(shared.decision_seconds, alone.decision_seconds) << alpha;
    lengths.push_back(alone.steps.size());
  }
  EXPECT_LT(lengths[0], lengths[1]);
  EXPECT_LT(lengths[2], lengths[0]);
}

TEST_F(MemoryTest, AsksForEachStepOnce) {
  Memory memory(counted(), clock_);
  const size_t longest = replay(0.0, memory).steps.size();
  replay(0.02, memory);
  replay(0.2, memory);
  EXPECT_EQ(asked_, longest);
}

TEST_F(MemoryTest, ForgetsAnotherPath) {
  Memory memory(counted(), clock_);
  replay(0.0, memory);
  decide::History history(table_);
  history.add(0, 0.9F);
  for (size_t b = 0; b < 8; ++b) {
    const uint32_t chosen = memory.choose(history).value().configuration;
    EXPECT_EQ(chosen, counted()->choose(history).value().configuration) << b;
    history.add(chosen, table_.curve(chosen)[history.epochs(chosen)]);
  }
  EXPECT_EQ(memory.take_saved_seconds(), 0.0);
}

}  // namespace
}  // namespace cmbo::replay
