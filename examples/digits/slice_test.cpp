// SPDX-License-Identifier: Apache-2.0
#include "digits/slice.h"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>

#include "base/fault_injection.h"
#include "base/temporary_directory.h"
#include "digits/checkpoint.h"

namespace cmbo::digits {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Two clouds of points.
Split clouds() {
  DataSet all{.features = 2, .classes = 2, .x = {}, .labels = {}};
  Random random(5);
  for (uint32_t i = 0; i < 120; ++i) {
    const double centre = i % 2 == 0 ? -1.0 : 1.0;
    all.add(std::vector{static_cast<float>(centre + random.normal()),
                        static_cast<float>(random.normal())},
            i % 2);
  }
  return split(all, 0.25, 1);
}

struct SliceTest : ::testing::Test {
  SliceTest() {
    slice.plan.epochs = 6;
    slice.plan.parameters.dropout = 0.3;
    slice.checkpoint_directory = directory.path();
  }

  // The report lines of a slice in a process of its own.
  std::string run(size_t start, size_t target) {
    slice.start_step = start;
    auto runner = SliceRunner::create(data, "clouds", slice, real_file_system());
    CHECK(runner.ok(), runner.error().message());
    std::string lines;
    const auto reached = runner->advance(
        target, [&](size_t step, const Metrics& m) { lines += report_line(step, m); },
        [this] { return interrupted; });
    CHECK(reached.ok(), reached.error().message());
    return lines;
  }
  std::string refusal(size_t start) {
    slice.start_step = start;
    return SliceRunner::create(data, "clouds", slice, real_file_system()).error().message();
  }

  TemporaryDirectory directory;
  Split data = clouds();
  Slice slice;
  bool interrupted = false;
};

TEST_F(SliceTest, AFrozenTrainingGoesOnToTheBit) {
  const std::string whole = run(0, 6);
  const std::string bytes =
      *read_file(real_file_system(), checkpoint_path(directory.path()), 1 << 20);
  std::string parts = run(0, 1);
  parts += run(1, 2);
  parts += run(2, 5);
  parts += run(5, 6);
  EXPECT_EQ(parts, whole);
  // Not EXPECT_EQ, which would print them.
  EXPECT_TRUE(bytes == *read_file(real_file_system(), checkpoint_path(directory.path()), 1 << 20));
}

TEST_F(SliceTest, ReportsAgainWhatWasSavedButNotHeard) {
  run(0, 1);
  const std::string whole = run(0, 4);
  const std::string again = run(1, 3);
  EXPECT_THAT(again, HasSubstr("\"step\":2"));
  EXPECT_THAT(again, HasSubstr("\"step\":3"));
  EXPECT_THAT(whole, HasSubstr(again));
  EXPECT_THAT(run(4, 5), HasSubstr("\"step\":5"));
}

TEST_F(SliceTest, DivergenceIsKept) {
  slice.plan.parameters.learning_rate = 1000.0;
  slice.plan.parameters.depth = 4;
  EXPECT_THAT(run(0, 2), HasSubstr(R"({"step":2,"val_acc":NaN,"val_loss":NaN,"train_loss":NaN})"));
  EXPECT_EQ(run(2, 3), "@cmbo {\"step\":3,\"val_acc\":NaN,\"val_loss\":NaN,\"train_loss\":NaN}\n");
}

TEST_F(SliceTest, LeavesWhenInterruptedAndGoesOn) {
  const std::string whole = run(0, 3);
  const std::string begin = run(0, 1);
  interrupted = true;
  EXPECT_EQ(run(1, 3), "");
  interrupted = false;
  EXPECT_EQ(begin + run(1, 3), whole);
}

TEST_F(SliceTest, RefusesACheckpointThatItCannotGoOnFrom) {
  EXPECT_THAT(refusal(1), HasSubstr("no checkpoint to go on from"));
  run(0, 2);
  EXPECT_THAT(refusal(3), HasSubstr("at step 2, not at 3"));
  slice.plan.seed = 99;
  EXPECT_THAT(refusal(2), HasSubstr("of another training"));
  slice.checkpoint_directory.reset();
  EXPECT_THAT(refusal(2), HasSubstr("CMBO_CHECKPOINT_DIR"));
}

TEST_F(SliceTest, RefusesADamagedCheckpoint) {
  run(0, 1);
  const Path path = checkpoint_path(directory.path());
  ASSERT_TRUE(real_file_system().write_atomically(path, "not at all").ok());
  EXPECT_THAT(refusal(1), HasSubstr("digits.ckpt: damaged; remove it"));
}

TEST_F(SliceTest, DoesNotReportWhatItCouldNotSave) {
  slice.start_step = 0;
  FaultyFileSystem full(real_file_system(), 2);  // the directory, one checkpoint, then no more
  auto runner = SliceRunner::create(data, "clouds", slice, full);
  ASSERT_TRUE(runner.ok()) << runner.error().message();
  std::vector<size_t> steps;
  const auto reached = runner->advance(
      4, [&](size_t step, const Metrics&) { steps.push_back(step); }, [] { return false; });
  EXPECT_FALSE(reached.ok());
  EXPECT_THAT(steps, ElementsAre(0U, 1U));
}

struct EnvironmentTest : ::testing::Test {
  Status read() {
    return read_environment(
        [this](const char* name) {
          const auto found = variables.find(name);
          return found == variables.end() ? nullptr : found->second.c_str();
        },
        real_file_system(), slice);
  }

  TemporaryDirectory directory;
  std::map<std::string, std::string> variables;
  Slice slice;
};

TEST_F(EnvironmentTest, AskedForNothingItTrainsToTheEnd) {
  ASSERT_TRUE(read().ok());
  EXPECT_FALSE(slice.asked_for || slice.resident || slice.checkpoint_directory);
  EXPECT_EQ(slice.start_step, 0U);
  EXPECT_EQ(slice.target_step, slice.plan.epochs);
}

TEST_F(EnvironmentTest, ReadsAllOfTheProtocol) {
  const Path params = directory / "params.json";
  ASSERT_TRUE(real_file_system().write_atomically(params, R"({"width": 12})").ok());
  variables = {{"CMBO_PARAMS", params.string()},
               {"CMBO_CHECKPOINT_DIR", "ckpt"},
               {"CMBO_START_STEP", "2"},
               {"CMBO_TARGET_STEP", "5"},
               {"CMBO_MAX_STEP", "20"},
               {"CMBO_SEED", "18446744073709551615"},
               {"CMBO_RESIDENT", "1"}};
  const Status status = read();
  ASSERT_TRUE(status.ok()) << status.error().message();
  EXPECT_EQ(slice.plan.parameters.width, 12U);
  EXPECT_EQ(slice.checkpoint_directory, Path("ckpt"));
  EXPECT_EQ(slice.start_step, 2U);
  EXPECT_EQ(slice.target_step, 5U);
  EXPECT_EQ(slice.plan.epochs, 20U);
  EXPECT_EQ(slice.plan.seed, 18446744073709551615U);
  EXPECT_TRUE(slice.asked_for && slice.resident);
}

TEST_F(EnvironmentTest, RefusalsNameTheVariable) {
  variables = {{"CMBO_SEED", "-1"}};
  EXPECT_THAT(read().error().message(), HasSubstr("CMBO_SEED='-1'"));
  variables = {{"CMBO_TARGET_STEP", "60"}};
  EXPECT_THAT(read().error().message(), HasSubstr("target 60 <= max 50"));
  const Path params = directory / "params.json";
  ASSERT_TRUE(real_file_system().write_atomically(params, R"({"breadth": 12})").ok());
  variables = {{"CMBO_PARAMS", params.string()}};
  EXPECT_THAT(read().error().message(), HasSubstr("params.json: breadth: no such parameter"));
}

TEST(TargetTest, IsALineOfJson) {
  EXPECT_EQ(*parse_target(R"({"target_step": 7})"), 7U);
  EXPECT_FALSE(parse_target("7").ok());
  EXPECT_FALSE(parse_target(R"({"target_step": -7})").ok());
}

}  // namespace
}  // namespace cmbo::digits
