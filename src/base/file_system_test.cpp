// SPDX-License-Identifier: Apache-2.0
#include "base/file_system.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/fault_injection.h"
#include "base/temporary_directory.h"

namespace cmbo {
namespace {

using ::testing::HasSubstr;

class FileSystemTest : public ::testing::Test {
 protected:
  TemporaryDirectory directory_;
  FileSystem& files_ = real_file_system();
};

TEST_F(FileSystemTest, ReadsBackWhatItWrote) {
  const Path path = directory_ / "a.txt";
  ASSERT_TRUE(files_.write_atomically(path, "first").ok());
  ASSERT_TRUE(files_.write_atomically(path, "second").ok());
  EXPECT_EQ(read_file(files_, path, 100).value(), "second");
}

TEST_F(FileSystemTest, LeavesNoTemporaryFileBehind) {
  ASSERT_TRUE(files_.write_atomically(directory_ / "b.txt", "b").ok());
  ASSERT_TRUE(files_.write_atomically(directory_ / "a.txt", "a").ok());
  const std::vector<Path> expected = {directory_ / "a.txt", directory_ / "b.txt"};
  EXPECT_EQ(files_.list_files(directory_.path()).value(), expected);
}

TEST_F(FileSystemTest, ErrorsNameThePath) {
  const Path missing = directory_ / "missing" / "file";
  EXPECT_THAT(files_.open(missing).error().message(), HasSubstr(missing.string()));
  EXPECT_EQ(files_.write_atomically(missing, "x").error().message(),
            missing.string() + ": cannot create: No such file or directory");
  EXPECT_THAT(files_.open(directory_.path()).error().message(), HasSubstr("is a directory"));
  EXPECT_THAT(files_.list_files(missing).error().message(), HasSubstr("cannot list"));
}

TEST_F(FileSystemTest, AppendsToTheEnd) {
  const Path path = directory_ / "log";
  ASSERT_TRUE(files_.append(path, "one\n").ok());
  ASSERT_TRUE(files_.append(path, "two\n").ok());
  EXPECT_EQ(read_file(files_, path, 100).value(), "one\ntwo\n");
  EXPECT_THAT(files_.append(directory_ / "no" / "log", "x").error().message(), HasSubstr("no/log"));
}

TEST_F(FileSystemTest, RefusesFilesOverTheLimit) {
  const Path path = directory_ / "big";
  ASSERT_TRUE(files_.write_atomically(path, std::string(1000, 'x')).ok());
  EXPECT_THAT(read_file(files_, path, 999).error().message(), HasSubstr("more than 999 bytes"));
}

TEST_F(FileSystemTest, FaultsAreInjectedFromTheGivenOperationOn) {
  FaultyFileSystem faulty(files_, 1);
  EXPECT_TRUE(faulty.write_atomically(directory_ / "a", "a").ok());
  EXPECT_FALSE(faulty.write_atomically(directory_ / "b", "b").ok());
  EXPECT_FALSE(faulty.exists(directory_ / "b"));
}

}  // namespace
}  // namespace cmbo
