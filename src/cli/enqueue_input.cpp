// SPDX-License-Identifier: Apache-2.0
#include "cli/enqueue_input.h"

#include <algorithm>
#include <fmt/format.h>

namespace cmbo::cli {

namespace {

// A choice that is spelled like the text, else the JSON value that the text is, else the text.
Json value_of_word(const space::Parameter& parameter, const std::string& text) {
  for (const Json& choice : parameter.choices) {
    if (choice.is_string() && choice.get<std::string>() == text) return choice;
  }
  auto parsed = parse_json(text);
  return parsed.ok() ? *parsed : Json(text);
}

Result<Json> configuration_from_words(std::span<const std::string> words,
                                      const space::Space& space) {
  Json values = Json::object();
  for (const std::string& word : words) {
    const size_t at = word.find('=');
    if (at == std::string::npos) {
      return Error(fmt::format("'{}' is not like lr=0.01; give key=value words or JSON", word));
    }
    const std::string name = word.substr(0, at);
    const auto index = space.find(name);
    if (!index) return Error(fmt::format("'{}' is not a parameter of the study", name));
    if (values.contains(name)) return Error(fmt::format("'{}' is given twice", name));
    values[name] = value_of_word(space.parameters()[*index], word.substr(at + 1));
  }
  return values;
}

bool is_wanted(const space::Parameter& parameter, const Json& values) {
  return std::all_of(parameter.when.begin(), parameter.when.end(), [&](const auto& condition) {
    const auto parent = values.find(condition.parameter);
    return parent != values.end() && std::find(condition.values.begin(), condition.values.end(),
                                               *parent) != condition.values.end();
  });
}

// With the defaults of what was not given and is active; a default may make others active.
Json with_defaults(const Json& given, const space::Space& space) {
  if (!given.is_object()) return given;
  Json values = given;
  for (bool changed = true; changed;) {
    changed = false;
    for (const space::Parameter& parameter : space.parameters()) {
      if (values.contains(parameter.name) || !is_wanted(parameter, values)) continue;
      const bool is_const = parameter.type == space::ParameterType::kConst;
      if (!parameter.default_value && !is_const) continue;
      values[parameter.name] =
          is_const ? parameter.choices[0] : parameter.value_to_json(*parameter.default_value);
      changed = true;
    }
  }
  return values;
}

}  // namespace

Result<std::vector<Json>> parse_configurations(std::span<const std::string> words,
                                               const space::Space& space) {
  std::vector<Json> given;
  if (!words.empty() && words.front().starts_with('{')) {
    for (const std::string& word : words) {
      CMBO_TRY(given.emplace_back(), parse_json(word));
    }
  } else {
    CMBO_TRY(given.emplace_back(), configuration_from_words(words, space));
  }
  std::vector<Json> configurations;
  for (const Json& one : given) {
    const auto configuration = space.configuration_from_json(with_defaults(one, space));
    if (!configuration.ok()) {
      return configuration.error().within(fmt::format("configuration {}", one.dump()));
    }
    configurations.push_back(space.configuration_to_json(*configuration));
  }
  return configurations;
}

}  // namespace cmbo::cli
