// SPDX-License-Identifier: Apache-2.0
#include "replay/run_log.h"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/fault_injection.h"
#include "base/temporary_directory.h"

namespace cmbo::replay {
namespace {

using ::testing::HasSubstr;

RunRecord example(uint64_t seed) {
  RunRecord record;
  record.key = {"bench", "a \"task\"", "asha", 4e-5, seed, {{"budget", 300}, {"beta", 0.1}}};
  record.outcome.steps.resize(2);
  record.outcome.steps[0] = {.configuration = 7, .epoch = 1, .value = 0.1, .regret = 1.0 / 3.0};
  record.outcome.steps[1] = {
      .configuration = 7, .epoch = 2, .value = 0.3, .regret = 0.25, .acquisition = 1e-7};
  record.outcome.stopped_at = 2;
  record.outcome.reason = "enough";
  record.outcome.decisions = 3;
  record.outcome.decision_seconds = 0.125;
  return record;
}

class RunLogTest : public ::testing::Test {
 protected:
  std::string text() { return read_file(files_, path_, 1 << 20).value(); }

  TemporaryDirectory directory_;
  FileSystem& files_ = real_file_system();
  Path path_ = directory_ / "runs.jsonl";
};

TEST_F(RunLogTest, ALineComesBackAsItWas) {
  const RunRecord record = example(3);
  const RunRecord back = record_from_line(record_to_line(record)).value();
  EXPECT_EQ(back.key.text(), record.key.text());
  EXPECT_EQ(back.outcome.stopped_at, 2U);
  EXPECT_EQ(back.outcome.reason, "enough");
  EXPECT_EQ(back.outcome.decisions, 3U);
  EXPECT_EQ(back.outcome.steps[0].regret, 1.0 / 3.0);
  EXPECT_EQ(back.outcome.steps[1].acquisition, 1e-7);
  EXPECT_TRUE(std::isnan(back.outcome.steps[0].acquisition));
}

TEST_F(RunLogTest, FinishedRunsAreFoundAgain) {
  {
    RunLog log = RunLog::open(files_, path_).value();
    ASSERT_TRUE(log.add(example(1)).ok());
    ASSERT_TRUE(log.add(example(2)).ok());
  }
  const RunLog log = RunLog::open(files_, path_).value();
  EXPECT_EQ(log.size(), 2U);
  EXPECT_NE(log.find(example(2).key), nullptr);
  EXPECT_EQ(log.find(example(3).key), nullptr);
  RunKey other = example(1).key;
  other.conditions["beta"] = 0.2;
  EXPECT_EQ(log.find(other), nullptr);
}

TEST_F(RunLogTest, AHalfWrittenLastLineIsDropped) {
  const std::string first = record_to_line(example(1)) + "\n";
  const std::string second = record_to_line(example(2));
  ASSERT_TRUE(files_.append(path_, first + second.substr(0, second.size() / 2)).ok());
  EXPECT_EQ(read_runs(files_, path_).value().size(), 1U);
  RunLog log = RunLog::open(files_, path_).value();
  EXPECT_EQ(log.find(example(2).key), nullptr);
  ASSERT_TRUE(log.add(example(2)).ok());
  EXPECT_EQ(text(), first + second + "\n");
}

TEST_F(RunLogTest, ADamagedLineIsNamed) {
  ASSERT_TRUE(files_.append(path_, record_to_line(example(1)) + "\n{\"key\":3}\n").ok());
  const std::string message = RunLog::open(files_, path_).error().message();
  EXPECT_THAT(message, HasSubstr("runs.jsonl:2: 'key' is a number"));
  EXPECT_THAT(message, HasSubstr("remove this line"));
}

TEST_F(RunLogTest, HostileLinesAreRefused) {
  const Json good = Json::parse(record_to_line(example(1)));
  const auto refused = [&](const char* pointer, const Json& value) {
    Json bad = good;
    bad[Json::json_pointer(pointer)] = value;
    return !record_from_line(bad.dump()).ok();
  };
  EXPECT_TRUE(refused("/trajectory/epoch", Json::array({1})));
  EXPECT_TRUE(refused("/trajectory/epoch/0", "one"));
  EXPECT_TRUE(refused("/trajectory/regret/1", nullptr));
  EXPECT_TRUE(refused("/trajectory/configuration/0", -1));
  EXPECT_TRUE(refused("/stopped_at", 3));
  EXPECT_TRUE(refused("/key/seed", -1));
  EXPECT_FALSE(refused("/stopped_at", 1));
}

TEST_F(RunLogTest, AFullDiskIsAnErrorAndNotARun) {
  FaultyFileSystem faulty(files_, 0);
  RunLog log = RunLog::open(faulty, path_).value();
  EXPECT_FALSE(log.add(example(1)).ok());
  EXPECT_EQ(log.size(), 0U);
}

}  // namespace
}  // namespace cmbo::replay
