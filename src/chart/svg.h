// SPDX-License-Identifier: Apache-2.0
//
// Writes SVG text. Whatever it is given, the result is well-formed XML: text and attributes are
// cleaned and escaped, and every number is finite.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "chart/text.h"

namespace cmbo::chart {

// A place in the picture in px, y downwards.
struct Pixel {
  double x = 0.0;
  double y = 0.0;
};

// At most two decimals, no trailing zeros; what is not finite becomes 0.
std::string svg_number(double value);

struct Attribute {
  Attribute(std::string_view attribute, double number)
      : name(attribute), value(svg_number(number)) {}
  Attribute(std::string_view attribute, std::string_view text) : name(attribute), value(text) {}

  std::string_view name;  // a literal
  std::string value;      // not yet escaped
};
using Attributes = std::vector<Attribute>;

enum class Anchor { kStart, kMiddle, kEnd };

struct TextLook {
  Font font;
  std::string_view color = "#555555";
  Anchor anchor = Anchor::kStart;
  bool halo = false;  // a white rim, to be readable on top of data
};

class SvgWriter {
 public:
  // The root element with its view box, a white background and `title` for screen readers.
  SvgWriter(double width, double height, std::string_view title);

  void open(std::string_view name, const Attributes& attributes = {});
  void close();
  void element(std::string_view name, const Attributes& attributes);
  void text(Pixel at, std::string_view content, const TextLook& look);

  // Closes what is open and gives the document away.
  std::string finish() &&;

 private:
  void start_tag(std::string_view name, const Attributes& attributes);
  void text_element(std::string_view name, const Attributes& attributes, std::string_view content);

  std::string out_;
  std::vector<std::string> open_;
};

}  // namespace cmbo::chart
