// SPDX-License-Identifier: Apache-2.0
#include "curves/line_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cmbo::curves {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<std::string> lines_of(std::string_view text) {
  const auto source = source_from_string(text);
  LineReader reader(*source, "f");
  std::vector<std::string> lines;
  while (const auto line = reader.next().value()) lines.emplace_back(*line);
  EXPECT_EQ(reader.line_number(), lines.size());
  return lines;
}

TEST(LineReaderTest, SplitsAtAnyLineEnd) {
  EXPECT_THAT(lines_of("a\nb\r\n\nc"), ElementsAre("a", "b", "", "c"));
  EXPECT_THAT(lines_of("a\n"), ElementsAre("a"));
  EXPECT_THAT(lines_of(""), ElementsAre());
  EXPECT_THAT(lines_of("\xef\xbb\xbf"
                       "a\nb"),
              ElementsAre("a", "b"));
}

TEST(LineReaderTest, LinesMayCrossChunks) {
  std::string text;
  for (int i = 0; i < 50; ++i) text += std::string(20'000, static_cast<char>('a' + i % 26)) + "\n";
  const auto lines = lines_of(text);
  ASSERT_EQ(lines.size(), 50u);
  EXPECT_EQ(lines[49], std::string(20'000, 'x'));
}

TEST(LineReaderTest, RefusesEndlessLines) {
  const std::string text(kMaxLineBytes + (1 << 20), 'x');
  const auto source = source_from_string(text);
  LineReader reader(*source, "f");
  EXPECT_THAT(reader.next().error().message(), HasSubstr("f:1: a line of more than 16 MiB"));
}

}  // namespace
}  // namespace cmbo::curves
