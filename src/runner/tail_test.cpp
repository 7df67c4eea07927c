// SPDX-License-Identifier: Apache-2.0
#include "runner/tail.h"

#include <gtest/gtest.h>

#include "runner/runner_testing.h"

namespace cmbo::runner {
namespace {

void append_text(const Path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary | std::ios::app) << text;
}

TEST(TailTest, FollowsAFile) {
  const TemporaryDirectory directory;
  const Path path = directory / "log";
  Tail from_nothing(path);
  EXPECT_EQ(from_nothing.read(), "");
  write_text(path, "old");
  EXPECT_EQ(from_nothing.read(), "old");
  Tail tail(path);
  EXPECT_EQ(tail.position(), 3U);
  EXPECT_EQ(tail.read(), "");
  append_text(path, "new");
  EXPECT_EQ(tail.read(), "new");
  EXPECT_EQ(tail.read(), "");
  append_text(path, std::string((1 << 20) + 5, 'x'));
  EXPECT_EQ(tail.read().size(), 1U << 20);
  EXPECT_EQ(tail.read().size(), 5U);
}

TEST(TailTest, AFileThatIsWrittenAnewOrGone) {
  const TemporaryDirectory directory;
  const Path path = directory / "log";
  write_text(path, "a long text");
  Tail tail(path);
  write_text(path, "short");
  EXPECT_EQ(tail.read(), "short");
  std::filesystem::remove(path);
  EXPECT_EQ(tail.read(), "");
  write_text(path, "again");
  EXPECT_EQ(tail.read(), "again");
}

}  // namespace
}  // namespace cmbo::runner
