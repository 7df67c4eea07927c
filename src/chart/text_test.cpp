// SPDX-License-Identifier: Apache-2.0
#include "chart/text.h"

#include <gtest/gtest.h>

#include "base/utf8.h"

namespace cmbo::chart {
namespace {

constexpr Font kFont = {10.0};

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
