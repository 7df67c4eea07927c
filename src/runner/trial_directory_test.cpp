// SPDX-License-Identifier: Apache-2.0
#include "runner/trial_directory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/fault_injection.h"
#include "runner/runner_testing.h"

namespace cmbo::runner {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class TrialDirectoryTest : public testing::Test {
 protected:
  TrialDirectoryTest() : request_(), trial_(directory_ / "trials/7") {
    request_.trial = 7;
    request_.slice = 12;
    request_.directory = directory_ / "trials/7";
    request_.target_step = 2;
    request_.params = Json{{"lr", 0.5}};
  }

  Status prepare(FileSystem& files = real_file_system()) {
    return prepare_trial(files, request_, 86400.0 * 365);
  }

  TemporaryDirectory directory_;
  SliceRequest request_;
  TrialFiles trial_;
};

TEST_F(TrialDirectoryTest, EverythingIsThere) {
  ASSERT_TRUE(prepare().ok());
  EXPECT_TRUE(fs::is_directory(trial_.checkpoint));
  EXPECT_EQ(text_of_file(trial_.params), "{\n  \"lr\": 0.5\n}\n");
  EXPECT_EQ(text_of_file(trial_.stdout_log),
            "--- cmbo: trial 7, slice 12, steps 1 to 2, 1971-01-01T00:00:00Z\n");
  EXPECT_EQ(text_of_file(trial_.stderr_log), text_of_file(trial_.stdout_log));
  EXPECT_EQ(text_of_file(trial_.report), "");
}

TEST_F(TrialDirectoryTest, ThePathsAreAbsolute) {
  EXPECT_EQ(TrialFiles("a/../b").report, fs::current_path() / "b/report.jsonl");
}

TEST_F(TrialDirectoryTest, WhatWasCutOffDoesNotSpoilTheNextLine) {
  ASSERT_TRUE(prepare().ok());
  write_text(trial_.stdout_log, "old\nhalf");
  write_text(trial_.report, "{\"step\":1,");
  ASSERT_TRUE(prepare().ok());
  EXPECT_THAT(text_of_file(trial_.stdout_log), testing::StartsWith("old\nhalf\n--- cmbo:"));
  EXPECT_EQ(text_of_file(trial_.report), "{\"step\":1,\n");
  ASSERT_TRUE(prepare().ok());
  EXPECT_EQ(text_of_file(trial_.report), "{\"step\":1,\n");
}

TEST_F(TrialDirectoryTest, ADiskThatIsFullIsAnErrorThatNamesTheFile) {
  for (size_t at = 0; at < 2; ++at) {
    FaultyFileSystem files(real_file_system(), at);
    EXPECT_THAT(prepare(files).error().message(), HasSubstr("trials/7"));
  }
  ASSERT_TRUE(prepare().ok());
  fs::remove(trial_.stderr_log);
  fs::create_directory(trial_.stderr_log);
  EXPECT_THAT(prepare().error().message(), HasSubstr("stderr.log: cannot write"));
}

TEST_F(TrialDirectoryTest, BytesOfADirectory) {
  ASSERT_TRUE(prepare().ok());
  EXPECT_EQ(directory_bytes(trial_.checkpoint).value(), 0U);
  fs::create_directories(trial_.checkpoint / "deep");
  write_text(trial_.checkpoint / "a", std::string(1000, 'x'));
  write_text(trial_.checkpoint / "deep/b", std::string(234, 'x'));
  fs::create_symlink(trial_.checkpoint / "a", trial_.checkpoint / "link");
  fs::create_directory_symlink(trial_.checkpoint, trial_.checkpoint / "deep/loop");
  EXPECT_EQ(directory_bytes(trial_.checkpoint).value(), 1234U);
  EXPECT_EQ(directory_bytes(directory_ / "nowhere").value(), 0U);
}

TEST_F(TrialDirectoryTest, ACheckpointGoesAsAWhole) {
  EXPECT_TRUE(remove_checkpoint(request_.directory).ok()) << "nothing to remove";
  ASSERT_TRUE(prepare().ok());
  write_text(trial_.checkpoint / "a", "x");
  fs::create_directories(trial_.directory / "checkpoint.removed/half");  // of an interrupted call
  ASSERT_TRUE(remove_checkpoint(request_.directory).ok());
  EXPECT_FALSE(fs::exists(trial_.checkpoint));
  EXPECT_FALSE(fs::exists(trial_.directory / "checkpoint.removed"));
  EXPECT_TRUE(fs::exists(trial_.params));
  fs::create_directories(trial_.directory / "checkpoint.removed/half");
  ASSERT_TRUE(remove_checkpoint(request_.directory).ok());
  EXPECT_FALSE(fs::exists(trial_.directory / "checkpoint.removed"));
}

TEST_F(TrialDirectoryTest, TheEndOfALog) {
  const Path log = directory_ / "log";
  EXPECT_EQ(log_tail(log, 0), "");
  write_text(log, "old\none\x1b\ntwo\n\n");
  EXPECT_EQ(log_tail(log, 4), "one\xEF\xBF\xBD\ntwo");
  EXPECT_EQ(log_tail(log, 100), "");
  EXPECT_EQ(log_tail(log, 0, 7), "two") << "from the beginning of a line";
  write_text(log, std::string(3000, 'x'));
  EXPECT_EQ(log_tail(log, 0), std::string(2000, 'x'));
}

}  // namespace
}  // namespace cmbo::runner
