// SPDX-License-Identifier: Apache-2.0
#include "cli/text.h"

#include <gtest/gtest.h>

#include "cli/progress_bar.h"

namespace cmbo::cli {
namespace {

TEST(TextTest, Numbers) {
  EXPECT_EQ(count_text(0), "0");
  EXPECT_EQ(count_text(999), "999");
  EXPECT_EQ(count_text(1'234'567), "1,234,567");
  EXPECT_EQ(number_text(0.123456), "0.1235");
  EXPECT_EQ(number_text(4.72434e34), "4.724e+34");
  EXPECT_EQ(number_text(std::nullopt), "–");
  EXPECT_EQ(percent_text(0.0836), "8.4 %");
  EXPECT_EQ(bytes_text(999), "999 B");
  EXPECT_EQ(bytes_text(1'234'567'890), "1.2 GB");
}

TEST(TextTest, Durations) {
  EXPECT_EQ(duration_text(6.6), "7 s");
  EXPECT_EQ(duration_text(185), "3:05");
  EXPECT_EQ(duration_text(7200), "2:00:00");
  EXPECT_EQ(duration_text(-5), "0 s");
}

TEST(TextTest, ShortenKeepsBothEnds) {
  EXPECT_EQ(shorten("abcdefgh", 8), "abcdefgh");
  EXPECT_EQ(shorten("abcdefgh", 5), "ab…gh");
  EXPECT_EQ(shorten("αβγδεζ", 4), "αβ…ζ");
  EXPECT_EQ(shorten("abc", 1), ".");
  EXPECT_EQ(shorten("abc", 0), "");
}

TEST(TextTest, TablesAlignAndGiveWay) {
  TextTable table({"task", "n"});
  table.add({"a-long-name-of-a-task", "1,000"});
  table.add({"b", "–"});
  EXPECT_EQ(table.render(100),
            "task                       n\n"
            "a-long-name-of-a-task  1,000\n"
            "b                          –\n");
  EXPECT_EQ(table.render(20),
            "task               n\n"
            "a-long…a-task  1,000\n"
            "b                  –\n");
}

TEST(ProgressTest, LineFitsTheTerminal) {
  EXPECT_EQ(progress_line("reading x", 0.5, 10, 80),
            "reading x ▕███████████████               ▏  50 %  10 s left");
  EXPECT_EQ(progress_line("reading x", 0.0, -1, 80),
            "reading x ▕                              ▏   0 %  ");
  for (const size_t width : {10u, 30u, 50u, 60u}) {
    EXPECT_LE(display_width(progress_line("reading a long path", 0.123, 3, width)), width);
  }
}

}  // namespace
}  // namespace cmbo::cli
