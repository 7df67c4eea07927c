// SPDX-License-Identifier: Apache-2.0
#include "chart/svg.h"

#include <cmath>
#include <fmt/format.h>
#include <utility>

#include "base/check.h"
#include "base/utf8.h"

namespace cmbo::chart {
namespace {

constexpr std::string_view kFontStack =
    "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif";

std::string escape(std::string_view text) {
  std::string escaped;
  for (const char c : clean_text(text)) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

std::string_view anchor_name(Anchor anchor) {
  return anchor == Anchor::kMiddle ? "middle" : "end";
}

}  // namespace

std::string svg_number(double value) {
  if (!std::isfinite(value)) return "0";
  std::string text = fmt::format("{:.2f}", value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

SvgWriter::SvgWriter(double width, double height, std::string_view title) {
  const std::string box = fmt::format("0 0 {} {}", svg_number(width), svg_number(height));
  open("svg", {{"xmlns", "http://www.w3.org/2000/svg"},
               {"width", width},
               {"height", height},
               {"viewBox", box},
               {"role", "img"},
               {"font-family", kFontStack}});
  if (!title.empty()) text_element("title", {}, title);
  element("rect", {{"width", width}, {"height", height}, {"fill", "#ffffff"}});
}

void SvgWriter::start_tag(std::string_view name, const Attributes& attributes) {
  out_.append("<").append(name);
  for (const Attribute& attribute : attributes) {
    out_.append(" ").append(attribute.name).append("=\"").append(escape(attribute.value)) += '"';
  }
}

void SvgWriter::open(std::string_view name, const Attributes& attributes) {
  start_tag(name, attributes);
  out_ += ">\n";
  open_.emplace_back(name);
}

void SvgWriter::close() {
  CHECK(!open_.empty(), "close() without open()");
  out_.append("</").append(open_.back()).append(">\n");
  open_.pop_back();
}

void SvgWriter::element(std::string_view name, const Attributes& attributes) {
  start_tag(name, attributes);
  out_ += "/>\n";
}

void SvgWriter::text_element(std::string_view name, const Attributes& attributes,
                             std::string_view content) {
  start_tag(name, attributes);
  out_.append(">").append(escape(content)).append("</").append(name).append(">\n");
}

void SvgWriter::text(Pixel at, std::string_view content, const TextLook& look) {
  if (content.empty()) return;
  Attributes attributes = {
      {"x", at.x}, {"y", at.y}, {"font-size", look.font.size}, {"fill", look.color}};
  if (look.font.bold) attributes.emplace_back("font-weight", "bold");
  if (look.anchor != Anchor::kStart) {
    attributes.emplace_back("text-anchor", anchor_name(look.anchor));
  }
  if (look.halo) {
    attributes.emplace_back("stroke", "#ffffff");
    attributes.emplace_back("stroke-width", 3.0);
    attributes.emplace_back("stroke-linejoin", "round");
    attributes.emplace_back("paint-order", "stroke");
  }
  text_element("text", attributes, content);
}

std::string SvgWriter::finish() && {
  while (!open_.empty()) close();
  return std::move(out_);
}

}  // namespace cmbo::chart
