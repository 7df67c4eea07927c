// SPDX-License-Identifier: Apache-2.0
#include "runner/salvage.h"

#include <gtest/gtest.h>

#include "runner/runner_testing.h"
#include "runner/trial_directory.h"

namespace cmbo::runner {
namespace {

class SalvageTest : public testing::Test {
 protected:
  void begin_slice(uint64_t slice, uint64_t start, uint64_t target) {
    const SliceRequest request{.slice = slice,
                               .trial = 4,
                               .directory = directory_.path(),
                               .start_step = start,
                               .target_step = target,
                               .max_step = 9,
                               .gpu = ""};
    ASSERT_TRUE(prepare_trial(real_file_system(), request, 0.0).ok());
  }
  void add(const Path& path, const std::string& text) {
    ASSERT_TRUE(real_file_system().append(path, text).ok());
  }
  std::vector<Report> salvage(uint64_t slice, uint64_t start, uint64_t target) {
    return salvage_reports({slice, 4, directory_.path(), start, target}, {"acc", {}});
  }

  TemporaryDirectory directory_;
  TrialFiles files_ = TrialFiles(directory_.path());
};

TEST_F(SalvageTest, NothingWasLeft) {
  EXPECT_TRUE(salvage(1, 0, 2).empty());
  begin_slice(1, 0, 2);
  EXPECT_TRUE(salvage(1, 0, 2).empty());
}

TEST_F(SalvageTest, OnlyTheLostSliceIsRead) {
  begin_slice(1, 0, 2);
  add(files_.stdout_log, "@cmbo {\"step\":1,\"acc\":0.1}\n@cmbo {\"step\":2,\"acc\":0.2}\n");
  begin_slice(7, 2, 4);
  add(files_.stdout_log, "noise\n@cmbo {\"step\":3,\"acc\":0.3}\n@cmbo {\"step\":4,\"ac");
  EXPECT_EQ(salvage(7, 2, 4), (std::vector<Report>{{3, 0.3}}));
  // Never started: its trial's log tells of others only.
  EXPECT_TRUE(salvage(8, 2, 4).empty());
}

TEST_F(SalvageTest, ReportFilesCountToo) {
  begin_slice(1, 0, 1);
  add(files_.report, "{\"step\":1,\"acc\":0.1}\n");
  begin_slice(2, 1, 3);
  add(files_.report, "{\"step\":2,\"acc\":0.2}\n{\"step\":3,\"acc\":0.3}");
  EXPECT_EQ(salvage(2, 1, 3), (std::vector<Report>{{2, 0.2}, {3, 0.3}}));
}

}  // namespace
}  // namespace cmbo::runner
