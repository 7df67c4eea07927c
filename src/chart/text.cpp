// SPDX-License-Identifier: Apache-2.0
#include "chart/text.h"

#include "base/utf8.h"

namespace cmbo::chart {
namespace {

constexpr std::string_view kEllipsis = "\u2026";

bool in(char32_t character, char32_t first, char32_t last) {
  return character >= first && character <= last;
}

// In units of the font size.
double character_width(char32_t character) {
  if (character >= 0x1100) return character == 0x2026 || in(character, 0x2010, 0x2027) ? 0.9 : 1.05;
  if (character >= 0x80) return 0.68;
  const char letter = static_cast<char>(character);
  if (std::string_view("ijlI.,:;'|! ").find(letter) != std::string_view::npos) return 0.33;
  if (std::string_view("frt()[]{}-/\\\"").find(letter) != std::string_view::npos) return 0.41;
  if (std::string_view("mwMW@%").find(letter) != std::string_view::npos) return 0.97;
  return letter >= 'A' && letter <= 'Z' ? 0.72 : 0.63;
}

double font_width(char32_t character, const Font& font) {
  return character_width(character) * font.size * (font.bold ? 1.11 : 1.0);
}

}  // namespace

double text_width(std::string_view text, const Font& font) {
  double width = 0.0;
  while (!text.empty()) width += font_width(take_character(text), font);
  return width;
}

std::string shorten(std::string_view text, const Font& font, double max_width) {
  std::string clean = clean_text(text);
  if (text_width(clean, font) <= max_width) return clean;
  double room = max_width - text_width(kEllipsis, font);
  if (room < 0.0) return "";
  std::string_view rest = clean;
  size_t kept = 0;
  while ((room -= font_width(take_character(rest), font)) >= 0.0) kept = clean.size() - rest.size();
  while (kept > 0 && clean[kept - 1] == ' ') --kept;
  return clean.substr(0, kept).append(kEllipsis);
}

}  // namespace cmbo::chart
