// SPDX-License-Identifier: Apache-2.0
//
// What every storage must do. A new one needs a line in INSTANTIATE_TEST_SUITE_P.
#include <cmath>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <memory>

#include "base/temporary_directory.h"
#include "storage/sqlite_storage.h"
#include "study/memory_storage.h"

namespace cmbo::storage {
namespace {

using study::DecisionRecord;
using study::Observation;
using study::Outcome;
using study::Recorded;
using study::Slice;
using study::Storage;
using study::StudyRecord;
using study::StudyState;
using study::Trial;
using study::TrialOrigin;
using study::TrialState;
using study::Wish;
using testing::ElementsAre;
using testing::HasSubstr;

// A storage, and the same after its process has ended.
class Keeper {
 public:
  virtual ~Keeper() = default;
  virtual Storage& storage() = 0;
  virtual void reopen() = 0;
};

class MemoryKeeper : public Keeper {
 public:
  Storage& storage() override { return storage_; }
  void reopen() override {}

 private:
  study::MemoryStorage storage_;
};

class SqliteKeeper : public Keeper {
 public:
  SqliteKeeper() { reopen(); }
  Storage& storage() override { return *storage_; }
  void reopen() override {
    storage_.reset();
    storage_ = SqliteStorage::open(directory_ / "study.db").value();
  }

 private:
  TemporaryDirectory directory_;
  std::unique_ptr<SqliteStorage> storage_;
};

struct KeeperCase {
  const char* name;
  std::function<std::unique_ptr<Keeper>()> make;
};

class StorageContractTest : public testing::TestWithParam<KeeperCase> {
 protected:
  StorageContractTest() : keeper_(GetParam().make()) {}

  Storage& storage() { return keeper_->storage(); }
  void reopen() { keeper_->reopen(); }

  // Three new trials.
  void create() {
    std::vector<Trial> trials;
    for (uint32_t n = 0; n < 3; ++n) trials.push_back({.number = n, .parameters = {{"x", n}}});
    ASSERT_TRUE(storage().create(record_, trials).ok());
  }
  uint64_t start(uint32_t trial, uint32_t from, uint32_t to) {
    const Slice slice{.trial = trial, .from = from, .to = to};
    const Trial running{
        .number = trial, .parameters = {{"x", trial}}, .state = TrialState::kRunning};
    return storage().start(slice, running, {.trial = trial}).value();
  }
  Recorded record(uint32_t trial, uint32_t step, double value, uint64_t slice = 1) {
    return storage().record({trial, step, value, 0.5, slice}).value();
  }

  StudyRecord record_{.definition = "command: train ü\n", .created_at = 1.5e9};
  std::unique_ptr<Keeper> keeper_;
};

TEST_P(StorageContractTest, IsEmptyAtFirst) {
  EXPECT_FALSE(storage().study().value());
  EXPECT_TRUE(storage().trials().value().empty());
  EXPECT_TRUE(storage().observations().value().empty());
  EXPECT_EQ(storage().wish().value(), Wish::kRun);
}

TEST_P(StorageContractTest, KeepsAStudy) {
  create();
  reopen();
  EXPECT_EQ(storage().study().value(), record_);
  record_.state = StudyState::kStopped;
  record_.reason = "it's \"over\"";
  record_.wall_seconds = 0.1 + 0.2;
  ASSERT_TRUE(storage().save(record_).ok());
  reopen();
  EXPECT_EQ(storage().study().value(), record_);
}

TEST_P(StorageContractTest, BeginsOnlyOnce) {
  create();
  const auto again = storage().create(record_, {});
  EXPECT_THAT(again.error().message(), HasSubstr("there is a study already"));
  EXPECT_EQ(storage().trials().value().size(), 3U);
}

TEST_P(StorageContractTest, KeepsTrials) {
  create();
  const Trial changed{.number = 1,
                      .parameters = {{"lr", 0.1}, {"name", "ü 'x'"}, {"n", 3}},
                      .origin = TrialOrigin::kEnqueued,
                      .state = TrialState::kFailed,
                      .note = "no\nway",
                      .checkpoint_bytes = uint64_t{1} << 40};
  ASSERT_TRUE(storage().save(changed).ok());
  reopen();
  const std::vector<Trial> trials = storage().trials().value();
  ASSERT_EQ(trials.size(), 3U);
  EXPECT_EQ(trials[1], changed);
  EXPECT_EQ(trials[2], (Trial{.number = 2, .parameters = {{"x", 2}}}));
}

TEST_P(StorageContractTest, KeepsTheFirstOtherValueOfAStep) {
  create();
  start(1, 0, 2);
  EXPECT_EQ(record(1, 1, 0.5), Recorded::kNew);
  EXPECT_TRUE(storage().conflicts().value().empty());
  EXPECT_EQ(record(1, 1, std::nan("")), Recorded::kConflict);
  EXPECT_EQ(record(1, 1, 0.75), Recorded::kConflict);
  EXPECT_EQ(record(1, 1, 0.5), Recorded::kKnown);
  reopen();
  const std::vector<Observation> conflicts = storage().conflicts().value();
  ASSERT_EQ(conflicts.size(), 1U);
  EXPECT_EQ(conflicts[0].trial, 1U);
  EXPECT_EQ(conflicts[0].step, 1U);
  EXPECT_TRUE(std::isnan(conflicts[0].value));
  EXPECT_EQ(storage().observations().value()[0].value, 0.5);
}

TEST_P(StorageContractTest, ThePoolCanGrow) {
  create();
  const Trial fourth{.number = 3, .parameters = {{"x", 3}}, .origin = TrialOrigin::kRefined};
  const Trial fifth{.number = 4, .parameters = {{"x", 4}}, .origin = TrialOrigin::kRefined};
  ASSERT_TRUE(storage().extend(std::vector{fourth, fifth}).ok());
  reopen();
  const std::vector<Trial> trials = storage().trials().value();
  ASSERT_EQ(trials.size(), 5U);
  EXPECT_EQ(trials[3], fourth);
  EXPECT_EQ(trials[4], fifth);
}

TEST_P(StorageContractTest, StartsSlicesWithTheirTrialAndReason) {
  create();
  const Slice slice{.trial = 2, .from = 3, .to = 5, .expected_cost = 0.3, .started_at = 7.25};
  const Trial running{.number = 2, .parameters = {{"x", 2}}, .state = TrialState::kRunning};
  const DecisionRecord decision{.at = 7.25, .trial = 2, .what = {{"reason", "why not"}}};
  EXPECT_EQ(storage().start(slice, running, decision).value(), 1U);
  EXPECT_EQ(start(0, 0, 1), 2U);
  reopen();
  const std::vector<Slice> slices = storage().slices().value();
  ASSERT_EQ(slices.size(), 2U);
  Slice expected = slice;
  expected.id = 1;
  EXPECT_EQ(slices[0], expected);
  EXPECT_EQ(storage().trials().value()[2].state, TrialState::kRunning);
  const std::vector<DecisionRecord> decisions = storage().decisions().value();
  ASSERT_EQ(decisions.size(), 2U);
  EXPECT_EQ(decisions[0].id, 1U);
  EXPECT_EQ(decisions[0].trial, 2U);
  EXPECT_EQ(decisions[0].at, 7.25);
  EXPECT_EQ(decisions[0].what["reason"], "why not");
}

TEST_P(StorageContractTest, EndsSlicesWithTheirTrial) {
  create();
  start(1, 0, 2);
  Slice slice = storage().slices().value()[0];
  slice.outcome = Outcome::kTimedOut;
  slice.note = "hung";
  slice.seconds = 12.5;
  const Trial failed{.number = 1, .parameters = {{"x", 1}}, .state = TrialState::kFailed};
  ASSERT_TRUE(storage().end(slice, failed).ok());
  reopen();
  EXPECT_THAT(storage().slices().value(), ElementsAre(slice));
  EXPECT_EQ(storage().trials().value()[1], failed);
}

TEST_P(StorageContractTest, RecordsEachStepOnce) {
  create();
  start(0, 0, 3);
  EXPECT_EQ(record(0, 1, 0.1), Recorded::kNew);
  EXPECT_EQ(record(0, 1, 0.1), Recorded::kKnown);
  EXPECT_EQ(record(0, 1, 0.2), Recorded::kConflict);
  EXPECT_EQ(record(0, 2, std::nan("")), Recorded::kNew);
  EXPECT_EQ(record(0, 2, std::nan("")), Recorded::kKnown);
  EXPECT_EQ(record(0, 2, 0.0), Recorded::kConflict);
  reopen();
  EXPECT_EQ(record(0, 1, 0.1), Recorded::kKnown);
  const std::vector<Observation> all = storage().observations().value();
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].value, 0.1);
  EXPECT_EQ(all[0].seconds, 0.5);
  EXPECT_EQ(all[0].slice, 1U);
  EXPECT_TRUE(std::isnan(all[1].value));
}

TEST_P(StorageContractTest, AGapIsRefusedAndLeavesNothing) {
  create();
  start(0, 0, 3);
  record(0, 1, 0.1);
  const auto gap = storage().record({0, 3, 0.5, 0.0, 1});
  EXPECT_THAT(gap.error().message(), HasSubstr("trial 0: step 3 was reported after step 1"));
  EXPECT_FALSE(storage().record({0, 0, 0.5, 0.0, 1}).ok());
  EXPECT_FALSE(storage().record({1, 2, 0.5, 0.0, 1}).ok());
  reopen();
  EXPECT_EQ(storage().observations().value().size(), 1U);
  EXPECT_EQ(record(0, 2, 0.5), Recorded::kNew);
}

TEST_P(StorageContractTest, ObservationsKeepTheOrderOfRecording) {
  create();
  start(2, 0, 2);
  start(0, 0, 2);
  record(2, 1, 0.1, 1);
  record(0, 1, 0.2, 2);
  record(2, 2, 0.3, 1);
  reopen();
  const std::vector<Observation> all = storage().observations().value();
  std::vector<double> values;
  for (const Observation& observation : all) values.push_back(observation.value);
  EXPECT_THAT(values, ElementsAre(0.1, 0.2, 0.3));
}

TEST_P(StorageContractTest, NumbersComeBackBitByBit) {
  create();
  start(0, 0, 9);
  const std::vector<double> values = {1.0 / 3.0, -0.0, 1e-310, 1.7976931348623157e308, 0.1};
  for (uint32_t i = 0; i < values.size(); ++i) record(0, i + 1, values[i]);
  reopen();
  const std::vector<Observation> all = storage().observations().value();
  for (size_t i = 0; i < values.size(); ++i) EXPECT_EQ(all[i].value, values[i]);
}

TEST_P(StorageContractTest, AStopIsOneStepWithItsReason) {
  create();
  record_.state = StudyState::kStopped;
  ASSERT_TRUE(storage().add({.at = 3.0, .what = {{"stop", true}}}, record_).ok());
  reopen();
  EXPECT_EQ(storage().study().value()->state, StudyState::kStopped);
  const std::vector<DecisionRecord> decisions = storage().decisions().value();
  ASSERT_EQ(decisions.size(), 1U);
  EXPECT_FALSE(decisions[0].trial);
  EXPECT_EQ(decisions[0].what["stop"], true);
}

TEST_P(StorageContractTest, WishesStayUntilTheNext) {
  create();
  ASSERT_TRUE(storage().set_wish(Wish::kPause).ok());
  ASSERT_TRUE(storage().set_wish(Wish::kStop).ok());
  ASSERT_TRUE(storage().save(record_).ok());
  reopen();
  EXPECT_EQ(storage().wish().value(), Wish::kStop) << "saving the study leaves it";
}

TEST_P(StorageContractTest, TheQueueIsTakenInItsOrder) {
  create();
  EXPECT_EQ(storage().enqueue({{"x", 7}}).value(), 1U);
  EXPECT_EQ(storage().enqueue({{"x", 1}}).value(), 2U);
  reopen();
  auto queue = storage().queue().value();
  ASSERT_EQ(queue.size(), 2U);
  EXPECT_EQ(queue[0].parameters["x"], 7);
  ASSERT_TRUE(storage().accept(1, {.number = 3, .parameters = {{"x", 7}}}).ok());
  ASSERT_TRUE(storage().accept(2, {.number = 1, .parameters = {{"x", 1}}, .note = "again"}).ok());
  reopen();
  EXPECT_TRUE(storage().queue().value().empty());
  EXPECT_EQ(storage().trials().value().size(), 4U);
  EXPECT_EQ(storage().trials().value()[1].note, "again");
  EXPECT_EQ(storage().enqueue({{"x", 8}}).value(), 3U) << "no number is used twice";
}

INSTANTIATE_TEST_SUITE_P(
    All, StorageContractTest,
    testing::Values(KeeperCase{"Memory", [] { return std::make_unique<MemoryKeeper>(); }},
                    KeeperCase{"Sqlite", [] { return std::make_unique<SqliteKeeper>(); }}),
    [](const testing::TestParamInfo<KeeperCase>& keeper) { return keeper.param.name; });

}  // namespace
}  // namespace cmbo::storage
