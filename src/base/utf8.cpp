// SPDX-License-Identifier: Apache-2.0
#include "base/utf8.h"

namespace cmbo {

namespace {

constexpr char32_t kReplacement = 0xFFFD;

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

bool is_code_point(char32_t character) {
  return character <= 0x10FFFF && !in(character, 0xD800, 0xDFFF);
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
  const bool is_none = character == kNoCharacter || (character & 0xFFFE) == 0xFFFE;
  return control || is_none ? kReplacement : character;
}

}  // namespace

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
  valid = valid && !is_overlong(character, length) && is_code_point(character);
  rest.remove_prefix(valid ? length : 1);
  return valid ? character : kNoCharacter;
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    if (take_character(text) == kNoCharacter) return false;
  }
  return true;
}

std::string clean_text(std::string_view text) {
  std::string clean;
  clean.reserve(text.size());
  while (!text.empty()) append_character(clean, printable(take_character(text)));
  return clean;
}

}  // namespace cmbo
