// SPDX-License-Identifier: Apache-2.0
#include "chart/text.h"

#include <gtest/gtest.h>

namespace cmbo::chart {
namespace {

constexpr Font kFont = {10.0};

TEST(CleanTextTest, KeepsValidText) {
  const std::string text = "loss < 0.5 \u00b5m \u2192 \u6570 \U0001F600";
  EXPECT_EQ(clean_text(text), text);
  EXPECT_EQ(clean_text(""), "");
}

TEST(CleanTextTest, ReplacesWhatXmlForbids) {
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
  EXPECT_EQ(clean_text("\xED\xA0\x80"), "\uFFFD");                        // a surrogate
  EXPECT_EQ(clean_text("\xF4\x90\x80\x80"), "\uFFFD\uFFFD\uFFFD\uFFFD");  // beyond Unicode
}

TEST(TextWidthTest, GrowsWithTextSizeAndWeight) {
  EXPECT_EQ(text_width("", kFont), 0.0);
  EXPECT_LT(text_width("ill", kFont), text_width("www", kFont));
  EXPECT_NEAR(text_width("abc", {20.0}), 2.0 * text_width("abc", kFont), 1e-9);
  EXPECT_GT(text_width("abc", {10.0, true}), text_width("abc", kFont));
  // One letter, though two bytes.
  EXPECT_NEAR(text_width("\u00e4", kFont), text_width("a", kFont), 1.0);
}

TEST(ShortenTest, CutsOnlyWhatDoesNotFit) {
  const std::string text = "a rather long label";
  EXPECT_EQ(shorten(text, kFont, text_width(text, kFont)), text);
  const std::string cut = shorten(text, kFont, 55.0);
  EXPECT_LE(text_width(cut, kFont), 55.0);
  EXPECT_EQ(cut, "a rather\u2026");
  EXPECT_EQ(shorten(text, kFont, 9.5), "\u2026");
  EXPECT_EQ(shorten(text, kFont, 1.0), "");
  EXPECT_EQ(shorten(text, kFont, -5.0), "");
}

TEST(ShortenTest, NeverCutsInsideACharacter) {
  std::string text;
  for (int i = 0; i < 20; ++i) text += "\u6570";
  for (double width = 0.0; width < 250.0; width += 1.0) {
    const std::string cut = shorten(text, kFont, width);
    EXPECT_EQ(cut, clean_text(cut));
    EXPECT_LE(text_width(cut, kFont), width);
  }
}

}  // namespace
}  // namespace cmbo::chart
