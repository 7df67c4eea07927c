// SPDX-License-Identifier: Apache-2.0
#include "study/refinement.h"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>
#include <set>

#include "study/study_testing.h"

namespace cmbo::study {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

// A pool of 64, two of which are added at a time.
std::string wide_study(const std::string& more = "") {
  return R"(
command: train --lr {lr}
metric: {name: acc, goal: maximize, range: [0, 1]}
fidelity: {max: 10}
parameters:
  lr: {type: float, low: 0, high: 1}
  optimizer: {type: categorical, choices: [sgd, adamw]}
pool: 64
refine: true
utility: {alpha: 0}
)" + more;
}

class RefinementTest : public testing::Test {
 protected:
  RefinementTest() : file_(study_file_from_yaml(wide_study()).value()) {
    for (uint32_t n = 0; n < kTrials; ++n) {
      const double lr = (n + 0.5) / kTrials;
      facts_.put(Trial{.number = n, .parameters = {{"lr", lr}, {"optimizer", "sgd"}}});
    }
  }
  // One step of each.
  void observe(uint32_t begin, uint32_t end, double value) {
    for (uint32_t n = begin; n < end; ++n) {
      facts_.add(Observation{.trial = n, .step = facts_.steps(n) + 1, .value = value});
    }
  }
  void add(const std::vector<Trial>& trials) {
    for (const Trial& trial : trials) facts_.put(trial);
  }

  static constexpr uint32_t kTrials = 400;
  StudyFile file_;
  Facts facts_;
};

TEST_F(RefinementTest, ComesWithEveryDoublingOfTheTrainedTrials) {
  observe(0, 15, 0.5);
  EXPECT_THAT(refinement(file_, facts_), IsEmpty());
  observe(15, 16, 0.5);
  const std::vector<Trial> first = refinement(file_, facts_);
  ASSERT_THAT(first, SizeIs(2));
  EXPECT_EQ(first, refinement(file_, facts_)) << "until it is recorded, the same";
  EXPECT_EQ(first[0].number, kTrials);
  EXPECT_EQ(first[1].number, kTrials + 1);
  EXPECT_EQ(first[0].origin, TrialOrigin::kRefined);
  add(first);
  observe(16, 31, 0.5);
  observe(0, 31, 0.5);
  EXPECT_THAT(refinement(file_, facts_), IsEmpty()) << "longer curves are no new trials";
  observe(31, 70, 0.5);
  add(refinement(file_, facts_));
  EXPECT_EQ(facts_.trials().size(), kTrials + 2 * 3) << "16, 32, 64";
}

TEST_F(RefinementTest, IsBounded) {
  observe(0, kTrials, 0.5);
  add(refinement(file_, facts_));
  EXPECT_EQ(facts_.trials().size(), kTrials + 2 * kMostRefinements);
  EXPECT_THAT(refinement(file_, facts_), IsEmpty());
  file_.pool = 100'000;
  EXPECT_THAT(refinement(file_, facts_), SizeIs(kMostRefinements * (kMostRefinedAtOnce - 2)));
}

TEST_F(RefinementTest, LooksAroundTheBest) {
  file_.pool = 1000;
  observe(0, 100, 0.1);
  observe(200, 201, 0.9);
  observe(200, 201, std::numeric_limits<double>::quiet_NaN());
  double near = 0;
  const std::vector<Trial> added = refinement(file_, facts_);
  for (const Trial& trial : added) {
    if (std::abs(trial.parameters["lr"].get<double>() - 0.5) < 0.1) ++near;
  }
  EXPECT_GT(near / static_cast<double>(added.size()), 0.35) << "by chance it would be a fifth";
}

TEST_F(RefinementTest, NothingTwice) {
  file_ = study_file_from_yaml(R"(
command: train --a {a}
metric: {name: acc}
fidelity: {max: 100}
parameters: {a: {type: int, low: 1, high: 100}}
pool: 99
refine: true
)")
              .value();
  facts_ = Facts();
  for (uint32_t n = 0; n < 99; ++n) facts_.put(Trial{.number = n, .parameters = {{"a", n + 1}}});
  observe(0, 16, 0.5);
  observe(95, 98, 0.9);
  const std::vector<Trial> added = refinement(file_, facts_);
  ASSERT_THAT(added, SizeIs(1)) << "only one was left";
  EXPECT_EQ(added[0].parameters["a"], 100);
  add(added);
  EXPECT_THAT(refinement(file_, facts_), IsEmpty());
}

TEST_F(RefinementTest, NotWithoutAReasonToOrAgainstTheWill) {
  observe(0, 20, std::numeric_limits<double>::quiet_NaN());
  EXPECT_THAT(refinement(file_, facts_), IsEmpty()) << "all diverged";
  observe(20, 21, 0.5);
  EXPECT_THAT(refinement(file_, facts_), SizeIs(2));
  file_.refine = false;
  EXPECT_THAT(refinement(file_, facts_), IsEmpty());
  file_.refine = true;
  file_.pool = 31;
  EXPECT_THAT(refinement(file_, facts_), IsEmpty()) << "a small pool was meant so";
}

// What belongs together is there once or not yet.
TEST(RefinedStudyTest, DyingAtAnyMomentAddsNothingTwice) {
  const auto check = [](Storage& storage, const FakeTrainings&, const std::string&) {
    EXPECT_EQ(storage.observations().value().size(), 18U);
    std::set<std::string> different;
    const std::vector<Trial> trials = storage.trials().value();
    for (const Trial& trial : trials) different.insert(trial.parameters.dump());
    EXPECT_EQ(different.size(), 64U + 2);
    EXPECT_EQ(trials.size(), 64U + 2);
  };
  EXPECT_GT(die_at_every_write(wide_study("limits: {epochs: 18}"), check), 40U);
}

}  // namespace
}  // namespace cmbo::study
