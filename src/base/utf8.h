// SPDX-License-Identifier: Apache-2.0
//
// Text from strangers: is it UTF-8, and how to show it without harm to a terminal or a picture.
#pragma once

#include <string>
#include <string_view>

namespace cmbo {

// What take_character() returns for a byte that begins no character.
inline constexpr char32_t kNoCharacter = 0xFFFFFFFF;

// The character that `rest`, which is not empty, begins with; it is taken off. Overlong forms and
// surrogates are none.
char32_t take_character(std::string_view& rest);

bool is_utf8(std::string_view text);

// `text` as one line of valid UTF-8 without control characters: what is not becomes U+FFFD, tabs
// and line breaks become spaces.
std::string clean_text(std::string_view text);

}  // namespace cmbo
