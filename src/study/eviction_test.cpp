// SPDX-License-Identifier: Apache-2.0
#include "study/eviction.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "study/facts_testing.h"

namespace cmbo::study {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// Checkpoints of 100 bytes; values 0.5, 0.9, 0.3, 0.7.
Facts four_trials() {
  Facts facts = make_facts(4, {{0, {0.5}}, {1, {0.9}}, {2, {0.3}}, {3, {0.7}}});
  for (Trial trial : std::vector<Trial>(facts.trials().begin(), facts.trials().end())) {
    trial.checkpoint_bytes = 100;
    facts.put(trial);
  }
  return facts;
}

StudyFile long_study() {
  StudyFile file;
  file.fidelity.max = 10;
  return file;
}

std::vector<uint32_t> evicted(const EvictionPlan& plan) {
  std::vector<uint32_t> trials;
  for (const Eviction& eviction : plan.evictions) trials.push_back(eviction.trial);
  return trials;
}

TEST(EvictionTest, NothingGoesWhileTheQuotaHolds) {
  const EvictionPlan plan = plan_evictions(long_study(), four_trials(), {}, 400);
  EXPECT_EQ(plan.used, 400U);
  EXPECT_THAT(plan.evictions, IsEmpty());
  EXPECT_TRUE(plan.enough);
}

TEST(EvictionTest, TheWorstGoesFirstAndNeverTheBest) {
  const StudyFile file = long_study();
  EXPECT_THAT(evicted(plan_evictions(file, four_trials(), {}, 250)), ElementsAre(2, 0));
  const EvictionPlan all = plan_evictions(file, four_trials(), {}, 50);
  EXPECT_THAT(evicted(all), ElementsAre(2, 0, 3));
  EXPECT_FALSE(all.enough);
}

TEST(EvictionTest, WhatPromisesMoreStaysLonger) {
  const std::vector<double> gains = {0.0, 0.0, 0.2, 0.1};
  EXPECT_THAT(evicted(plan_evictions(long_study(), four_trials(), gains, 150)),
              ElementsAre(0, 3, 2));
}

TEST(EvictionTest, ATrialThatCameLaterHasNoGainYet) {
  const std::vector<double> gains = {0.3, 0.0};
  EXPECT_THAT(evicted(plan_evictions(long_study(), four_trials(), gains, 150)),
              ElementsAre(2, 3, 0));
}

TEST(EvictionTest, WhatIsFinishedGoesBeforeWhatCanBeThawed) {
  Facts facts = four_trials();
  Trial done = facts.trials()[3];
  done.state = TrialState::kDone;
  facts.put(done);
  Trial running = facts.trials()[2];
  running.state = TrialState::kRunning;
  facts.put(running);
  EXPECT_THAT(evicted(plan_evictions(long_study(), facts, {}, 100)), ElementsAre(3, 0));
}

TEST(EvictionTest, MoreOfTheBestAndNoEvictionAtAll) {
  StudyFile file = long_study();
  file.checkpoints.keep_best = 3;
  EXPECT_THAT(evicted(plan_evictions(file, four_trials(), {}, 0)), ElementsAre(2));
  file.metric.goal = curves::Goal::kMinimize;
  EXPECT_THAT(evicted(plan_evictions(file, four_trials(), {}, 0)), ElementsAre(1));
  file.checkpoints.evict = false;
  EXPECT_THAT(evicted(plan_evictions(file, four_trials(), {}, 0)), IsEmpty());
  EXPECT_FALSE(plan_evictions(file, four_trials(), {}, 0).enough);
}

}  // namespace
}  // namespace cmbo::study
