// SPDX-License-Identifier: Apache-2.0
#include "space/yaml.h"

#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <sstream>
#include <vector>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include "base/utf8.h"

namespace cmbo::space {

namespace {

constexpr size_t kMaxValues = 100'000;  // after aliases are written out

template <typename Number>
bool parses_as(std::string_view text, Number& number) {
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  return code == std::errc() && end == text.data() + text.size();
}

// A plain (unquoted) scalar.
Json plain_scalar(const std::string& text) {
  if (text.empty() || text == "~" || text == "null" || text == "Null" || text == "NULL") {
    return nullptr;
  }
  if (text == "true" || text == "True" || text == "TRUE") return true;
  if (text == "false" || text == "False" || text == "FALSE") return false;
  const std::string_view digits = text.starts_with('+') ? std::string_view(text).substr(1) : text;
  int64_t integer = 0;
  if (parses_as(digits, integer)) return integer;
  double number = 0;
  // from_chars takes "inf" and "nan", which YAML writes with a dot and we do not want at all.
  const bool numeric = digits.find_first_of("0123456789") != std::string_view::npos &&
                       digits.find_first_not_of("0123456789.eE+-") == std::string_view::npos;
  if (numeric && parses_as(digits, number) && std::isfinite(number)) return number;
  return text;
}

size_t count_values(const Json& json) {
  if (!json.is_structured()) return 1;
  size_t count = 1;
  for (const Json& child : json) count += count_values(child);
  return count;
}

// Builds the JSON value from the parser's events. Refuses by throwing YAML::ParserException, which
// does not leave this file.
class JsonBuilder : public YAML::EventHandler {
 public:
  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    add_scalar(mark, anchor, "", nullptr);
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto known = anchored_.find(anchor);
    if (known == anchored_.end()) refuse(mark, "an alias inside of what it stands for");
    if (wants_key()) refuse(mark, "a key must be plain text");
    count(mark, count_values(known->second));
    add(known->second);
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& text) override {
    // The one way past the check of the whole file are escapes such as "\xff".
    if (!is_utf8(text)) refuse(mark, "text that is not valid UTF-8");
    add_scalar(mark, anchor, text, tag == "!" ? Json(text) : plain_scalar(text));  // "!" = quoted
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(mark, anchor, Json::array());
  }
  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(mark, anchor, Json::object());
  }
  void OnSequenceEnd() override { close(); }
  void OnMapEnd() override { close(); }

  Json take_root() { return std::move(root_); }

 private:
  struct Frame {
    Json value;
    YAML::anchor_t anchor;
    std::optional<std::string> key;  // of the member whose value comes next
  };

  [[noreturn]] static void refuse(const YAML::Mark& mark, const std::string& problem) {
    throw YAML::ParserException(mark, problem);
  }

  bool wants_key() const {
    return !open_.empty() && open_.back().value.is_object() && !open_.back().key;
  }

  void count(const YAML::Mark& mark, size_t values) {
    values_ += values;
    if (values_ > kMaxValues) refuse(mark, "too many values; are aliases nested?");
  }

  void add_scalar(const YAML::Mark& mark, YAML::anchor_t anchor, const std::string& text,
                  const Json& value) {
    count(mark, 1);
    if (!wants_key()) {
      if (anchor != YAML::NullAnchor) anchored_[anchor] = value;
      add(value);
      return;
    }
    if (open_.back().value.contains(text)) {
      refuse(mark, fmt::format("the key '{}' stands twice", text));
    }
    open_.back().key = text;
  }

  void open(const YAML::Mark& mark, YAML::anchor_t anchor, Json empty) {
    count(mark, 1);
    if (wants_key()) refuse(mark, "a key must be plain text");
    if (open_.size() >= kMaxJsonDepth) refuse(mark, "nested too deeply");
    open_.push_back({std::move(empty), anchor, std::nullopt});
  }

  void close() {
    Frame frame = std::move(open_.back());
    open_.pop_back();
    if (frame.anchor != YAML::NullAnchor) anchored_[frame.anchor] = frame.value;
    add(std::move(frame.value));
  }

  void add(Json value) {
    if (open_.empty()) {
      root_ = std::move(value);
    } else if (Frame& parent = open_.back(); parent.value.is_array()) {
      parent.value.push_back(std::move(value));
    } else {
      parent.value[*parent.key] = std::move(value);
      parent.key.reset();
    }
  }

  Json root_;
  std::vector<Frame> open_;
  std::map<YAML::anchor_t, Json> anchored_;
  size_t values_ = 0;
};

}  // namespace

Result<Json> yaml_to_json(std::string_view text) {
  if (text.size() > kMaxYamlBytes)
    return Error("larger than 1 MiB; a study file is never so large");
  if (!is_utf8(text)) return Error("not valid UTF-8; save the file as UTF-8");
  try {
    std::istringstream stream{std::string(text)};
    YAML::Parser parser(stream);
    JsonBuilder builder;
    if (!parser.HandleNextDocument(builder)) return Error("is empty; there is nothing to read");
    // What yaml-cpp does not understand at the end of a document counts as the next one.
    JsonBuilder ignored;
    if (parser.HandleNextDocument(ignored)) {
      return Error("more than one document, or text after its end; keep one value only");
    }
    return builder.take_root();
  } catch (const YAML::Exception& problem) {
    const YAML::Mark& mark = problem.mark;
    if (mark.is_null()) return Error(problem.msg);
    return Error(
        fmt::format("line {}, column {}: {}", mark.line + 1, mark.column + 1, problem.msg));
  }
}

}  // namespace cmbo::space
