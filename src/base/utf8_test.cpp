// SPDX-License-Identifier: Apache-2.0
#include "base/utf8.h"

#include <gtest/gtest.h>

namespace cmbo {
namespace {

TEST(Utf8Test, RecognizesWellFormedText) {
  EXPECT_TRUE(is_utf8(""));
  EXPECT_TRUE(is_utf8("aé€😀\n"));
  EXPECT_FALSE(is_utf8("\xff"));
  EXPECT_FALSE(is_utf8("\xc3"));              // cut off
  EXPECT_FALSE(is_utf8("\xc0\xaf"));          // overlong
  EXPECT_FALSE(is_utf8("\xe0\x80\xaf"));      // overlong
  EXPECT_FALSE(is_utf8("\xed\xa0\x80"));      // surrogate
  EXPECT_FALSE(is_utf8("\xf4\x90\x80\x80"));  // beyond U+10FFFF
}

TEST(CleanTextTest, KeepsValidText) {
  const std::string text = "loss < 0.5 \u00b5m \u2192 \u6570 \U0001F600";
  EXPECT_EQ(clean_text(text), text);
  EXPECT_EQ(clean_text(""), "");
}

TEST(CleanTextTest, ReplacesControlCharacters) {
  EXPECT_EQ(clean_text("a\tb\nc"), "a b c");
  EXPECT_EQ(clean_text(std::string_view("a\0b", 3)), "a\uFFFDb");
  EXPECT_EQ(clean_text("\x1b[31m"), "\uFFFD[31m");
  EXPECT_EQ(clean_text("\xEF\xBF\xBF"), "\uFFFD");  // U+FFFF
}

TEST(CleanTextTest, ReplacesInvalidUtf8ByteByByte) {
  EXPECT_EQ(clean_text("a\xff"
                       "b"),
            "a\uFFFDb");
  EXPECT_EQ(clean_text("\xC3"), "\uFFFD");                                // ends too early
  EXPECT_EQ(clean_text("\xC0\xAF"), "\uFFFD\uFFFD");                      // overlong "/"
  EXPECT_EQ(clean_text("\xE0\x80\xAF"), "\uFFFD\uFFFD\uFFFD");            // overlong "/"
  EXPECT_EQ(clean_text("\xED\xA0\x80"), "\uFFFD\uFFFD\uFFFD");            // a surrogate
  EXPECT_EQ(clean_text("\xF4\x90\x80\x80"), "\uFFFD\uFFFD\uFFFD\uFFFD");  // beyond Unicode
}

TEST(Utf8Test, TakesCharactersOneByOne) {
  std::string_view text = "€x\x80";
  EXPECT_EQ(take_character(text), U'€');
  EXPECT_EQ(take_character(text), U'x');
  EXPECT_EQ(take_character(text), kNoCharacter);
  EXPECT_TRUE(text.empty());
}

}  // namespace
}  // namespace cmbo
