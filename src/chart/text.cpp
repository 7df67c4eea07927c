// SPDX-License-Identifier: Apache-2.0
#include "chart/text.h"

namespace cmbo::chart {
namespace {

constexpr char32_t kReplacement = 0xFFFD;
constexpr std::string_view kEllipsis = "\u2026";

// How many bytes a UTF-8 sequence that begins with `lead` has; 0 = none begins so.
size_t sequence_length(unsigned char lead) {
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead < 0xE0) return 2;
  if (lead >= 0xE0 && lead < 0xF0) return 3;
  if (lead >= 0xF0 && lead < 0xF5) return 4;
  return 0;
}

bool in(char32_t character, char32_t first, char32_t last) {
  return character >= first && character <= last;
}

bool is_overlong(char32_t character, size_t length) {
  return (length == 3 && character < 0x800) || (length == 4 && character < 0x10000);
}

// The character that `rest` begins with, which is taken off it; U+FFFD for a byte that begins none.
char32_t take_character(std::string_view& rest) {
  const auto lead = static_cast<unsigned char>(rest.front());
  const size_t length = sequence_length(lead);
  char32_t character = length <= 1 ? lead : lead & (0xFFu >> (length + 1));
  bool valid = length > 0 && length <= rest.size();
  for (size_t i = 1; valid && i < length; ++i) {
    const auto byte = static_cast<unsigned char>(rest[i]);
    valid = (byte & 0xC0u) == 0x80u;
    character = (character << 6) | (byte & 0x3Fu);
  }
  valid = valid && !is_overlong(character, length) && character <= 0x10FFFF;
  rest.remove_prefix(valid ? length : 1);
  return valid ? character : kReplacement;
}

void append_character(std::string& out, char32_t character) {
  const auto tail = [&](int shift) {
    out += static_cast<char>(0x80 | ((character >> shift) & 63));
  };
  if (character < 0x80) {
    out += static_cast<char>(character);
  } else if (character < 0x800) {
    out += static_cast<char>(0xC0 | (character >> 6));
    tail(0);
  } else if (character < 0x10000) {
    out += static_cast<char>(0xE0 | (character >> 12));
    tail(6), tail(0);
  } else {
    out += static_cast<char>(0xF0 | (character >> 18));
    tail(12), tail(6), tail(0);
  }
}

char32_t printable(char32_t character) {
  if (character == '\t' || character == '\n' || character == '\r') return ' ';
  const bool control = character < 0x20 || in(character, 0x7F, 0x9F);
  const bool no_character = in(character, 0xD800, 0xDFFF) || (character & 0xFFFE) == 0xFFFE;
  return control || no_character ? kReplacement : character;
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

std::string clean_text(std::string_view text) {
  std::string clean;
  clean.reserve(text.size());
  while (!text.empty()) append_character(clean, printable(take_character(text)));
  return clean;
}

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
