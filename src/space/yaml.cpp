// SPDX-License-Identifier: Apache-2.0
#include "space/yaml.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

namespace cmbo::space {

namespace {

constexpr size_t kMaxNodes = 100'000;  // after aliases are written out

Error error_at(const YAML::Mark& mark, std::string_view problem) {
  if (mark.is_null()) return Error(std::string(problem));
  return Error(fmt::format("line {}, column {}: {}", mark.line + 1, mark.column + 1, problem));
}

// Whether every byte sequence is UTF-8 and no character is a NUL.
bool is_clean_utf8(std::string_view text) {
  if (text.find('\0') != std::string_view::npos) return false;
  try {
    (void)Json(std::string(text)).dump();
    return true;
  } catch (const Json::type_error&) {
    return false;
  }
}

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

class Converter {
 public:
  Result<Json> convert(const YAML::Node& node, size_t depth) {
    if (depth > kMaxJsonDepth) return error_at(node.Mark(), "nested too deeply");
    if (++nodes_ > kMaxNodes) return error_at(node.Mark(), "too many values; are aliases nested?");
    switch (node.Type()) {
      case YAML::NodeType::Scalar:
        return scalar(node);
      case YAML::NodeType::Sequence:
        return sequence(node, depth);
      case YAML::NodeType::Map:
        return map(node, depth);
      default:
        return Json(nullptr);
    }
  }

 private:
  static Result<Json> scalar(const YAML::Node& node) {
    // "!" marks a quoted scalar. Escapes such as "\xff" are the one way past the check of the file.
    const std::string& text = node.Scalar();
    if (!is_clean_utf8(text)) return error_at(node.Mark(), "text that is not valid UTF-8");
    return node.Tag() == "!" ? Json(text) : plain_scalar(text);
  }

  Result<Json> sequence(const YAML::Node& node, size_t depth) {
    Json json = Json::array();
    for (const YAML::Node& item : node) {
      CMBO_TRY(Json value, convert(item, depth + 1));
      json.push_back(std::move(value));
    }
    return json;
  }

  Result<Json> map(const YAML::Node& node, size_t depth) {
    Json json = Json::object();
    for (const auto& entry : node) {
      const YAML::Node& key = entry.first;
      if (!key.IsScalar() || !is_clean_utf8(key.Scalar())) {
        return error_at(key.Mark(), "a key must be plain text");
      }
      if (json.contains(key.Scalar())) {
        return error_at(key.Mark(), fmt::format("the key '{}' stands twice", key.Scalar()));
      }
      CMBO_TRY(Json value, convert(entry.second, depth + 1));
      json[key.Scalar()] = std::move(value);
    }
    return json;
  }

  size_t nodes_ = 0;
};

}  // namespace

Result<Json> yaml_to_json(std::string_view text) {
  if (text.size() > kMaxYamlBytes)
    return Error("larger than 1 MiB; a study file is never so large");
  if (!is_clean_utf8(text)) return Error("not valid UTF-8; save the file as UTF-8");
  try {
    const std::vector<YAML::Node> documents = YAML::LoadAll(std::string(text));
    if (documents.empty()) return Error("is empty; there is nothing to read");
    if (documents.size() > 1) return Error("holds more than one document; remove the line '---'");
    return Converter().convert(documents[0], 0);
  } catch (const YAML::Exception& problem) {
    return error_at(problem.mark, problem.msg);
  }
}

}  // namespace cmbo::space
