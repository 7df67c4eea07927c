// SPDX-License-Identifier: Apache-2.0
#include "cli/study_directory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "base/temporary_directory.h"

namespace cmbo::cli {
namespace {

TEST(StudyDirectoryTest, FindsTheStudyOfWhatIsNamed) {
  const TemporaryDirectory directory;
  FileSystem& files = real_file_system();
  const auto paths = [&](const std::string& argument) { return study_paths(argument, files); };
  EXPECT_EQ(paths("").file, "study.yaml");
  EXPECT_EQ(paths("").directory, "study.cmbo");
  EXPECT_EQ(paths("").working_directory(), ".");
  EXPECT_EQ(paths("a/digits.yml").directory, "a/digits.cmbo");
  EXPECT_EQ(paths("a/digits.yml").working_directory(), "a");
  EXPECT_EQ(paths("a/digits.cmbo/").file, "a/digits.yaml");
  EXPECT_EQ(paths("a/digits.cmbo").trial(7), "a/digits.cmbo/trials/7");
  EXPECT_EQ(paths(directory.path().string()).file, directory / "study.yaml");
  ASSERT_TRUE(files.append(directory / "b.yml", "").ok());
  EXPECT_EQ(paths((directory / "b.cmbo").string()).file, directory / "b.yml");
}

TEST(StudyDirectoryTest, SaysWhoDrivesIt) {
  const TemporaryDirectory directory;
  const StudyPaths paths = study_paths((directory / "s.yaml").string(), real_file_system());
  EXPECT_FALSE(driver_of(paths).has_value());
  ASSERT_TRUE(real_file_system().create_directories(paths.directory).ok());
  {
    const auto storage = storage::SqliteStorage::open(paths.database());
    ASSERT_TRUE(storage.ok());
    const auto driver = driver_of(paths);
    ASSERT_TRUE(driver.has_value());
    if (driver->process) {
      EXPECT_EQ(*driver->process, ::getpid());
    }
  }
  EXPECT_FALSE(driver_of(paths).has_value());
  EXPECT_EQ(driver_text({4711}), "process 4711");
}

}  // namespace
}  // namespace cmbo::cli
