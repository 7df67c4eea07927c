// SPDX-License-Identifier: Apache-2.0
//
// Text as it appears in a picture: always valid, and with a known approximate width.
#pragma once

#include <string>
#include <string_view>

namespace cmbo::chart {

struct Font {
  double size = 12.0;  // px
  bool bold = false;
};

// The width of `text` in px. The reader's font is unknown, so this is an estimate that follows wide
// sans-serif fonts: real text is rarely wider.
double text_width(std::string_view text, const Font& font);

// The cleaned `text` if it fits into `max_width` px, else its beginning and an ellipsis, or nothing
// if there is no room even for that.
std::string shorten(std::string_view text, const Font& font, double max_width);

}  // namespace cmbo::chart
