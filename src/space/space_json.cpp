// SPDX-License-Identifier: Apache-2.0
//
// The written form of a space: Space::from_json, from_yaml and to_json.
#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

#include "space/space.h"
#include "space/yaml.h"

namespace cmbo::space {

namespace {

constexpr double kMaxInt = 0x1.0p48;

struct TypeName {
  std::string_view name;
  ParameterType type;
  std::string_view keys;  // what it takes besides type, when, default and optional
};
constexpr std::array<TypeName, 4> kTypeNames = {{
    {"float", ParameterType::kFloat, "low high log step"},
    {"int", ParameterType::kInt, "low high log step"},
    {"categorical", ParameterType::kCategorical, "choices ordered"},
    {"const", ParameterType::kConst, "value"},
}};

bool is_word_of(std::string_view words, std::string_view word) {
  const size_t at = fmt::format(" {} ", words).find(fmt::format(" {} ", word));
  return at != std::string::npos;
}

bool is_scalar(const Json& json) {
  return json.is_string() || json.is_boolean() || json.is_number();
}

// Reads one parameter; every error is prefixed with its name by the caller.
class ParameterReader {
 public:
  ParameterReader(std::string name, const Json& json) : json_(json) {
    parameter_.name = std::move(name);
  }

  Result<Parameter> read() {
    if (!json_.is_object()) {
      return Error(fmt::format("must be an object like {{type: float, low: 0, high: 1}}, not {}",
                               json_kind(json_)));
    }
    CMBO_RETURN_IF_ERROR(read_type());
    switch (parameter_.type) {
      case ParameterType::kFloat:
      case ParameterType::kInt:
        CMBO_RETURN_IF_ERROR(read_range());
        break;
      case ParameterType::kCategorical:
        CMBO_RETURN_IF_ERROR(read_choices());
        break;
      case ParameterType::kConst:
        CMBO_RETURN_IF_ERROR(read_constant());
        break;
    }
    CMBO_RETURN_IF_ERROR(read_flag("optional", parameter_.optional));
    CMBO_RETURN_IF_ERROR(read_conditions());
    CMBO_RETURN_IF_ERROR(read_default());
    return std::move(parameter_);
  }

 private:
  const Json* get(const char* key) const {
    const auto found = json_.find(key);
    return found == json_.end() || found->is_null() ? nullptr : &*found;
  }

  Status read_type() {
    const Json* type = get("type");
    const auto* known = std::find_if(kTypeNames.begin(), kTypeNames.end(), [&](const TypeName& t) {
      return type != nullptr && type->is_string() && t.name == type->get<std::string>();
    });
    if (known == kTypeNames.end()) {
      return Error("type: must be float, int, categorical or const");
    }
    parameter_.type = known->type;
    for (const auto& [key, value] : json_.items()) {
      if (is_word_of("type when default optional", key) || is_word_of(known->keys, key)) continue;
      return Error(fmt::format("{}: a {} parameter has no such key; it takes {}, when, default",
                               key, known->name, known->keys));
    }
    return {};
  }

  Result<double> read_number(const char* key, const Json& json) const {
    if (!json.is_number()) {
      return Error(fmt::format("{}: must be a number, not {}", key, json_kind(json)));
    }
    const auto number = json.get<double>();
    if (parameter_.type == ParameterType::kInt &&
        (number != std::floor(number) || std::abs(number) > kMaxInt)) {
      return Error(fmt::format("{}: must be a whole number of at most 2^48 for type int", key));
    }
    return number;
  }

  Status read_range() {
    for (const auto& [key, target] :
         {std::pair{"low", &parameter_.low}, {"high", &parameter_.high}}) {
      const Json* json = get(key);
      if (json == nullptr) return Error(fmt::format("{}: missing; give the inclusive bound", key));
      CMBO_TRY(*target, read_number(key, *json));
    }
    CMBO_RETURN_IF_ERROR(read_flag("log", parameter_.log));
    if (const Json* json = get("step")) {
      CMBO_TRY(parameter_.step, read_number("step", *json));
    }
    return check_range();
  }

  Status check_range() const {
    if (parameter_.low > parameter_.high) {
      return Error(
          fmt::format("low: {} is above high: {}; swap them", parameter_.low, parameter_.high));
    }
    if (!std::isfinite(parameter_.high - parameter_.low)) {
      return Error("high: the range is too wide for floating-point numbers");
    }
    if (parameter_.log && parameter_.low <= 0) {
      return Error("log: a logarithmic scale needs low above 0");
    }
    if (!parameter_.step) return {};
    if (parameter_.log) return Error("step: cannot be combined with log; remove one of them");
    if (!(*parameter_.step > 0)) return Error("step: must be above 0");
    if ((parameter_.high - parameter_.low) / *parameter_.step > kMaxInt) {
      return Error("step: is too small for the range");
    }
    return {};
  }

  Status read_choices() {
    const Json* choices = get("choices");
    if (choices == nullptr || !choices->is_array() || choices->empty()) {
      return Error("choices: must be a list of at least one value");
    }
    for (const Json& choice : *choices) {
      if (!is_scalar(choice)) {
        return Error(
            fmt::format("choices: must be text, numbers or true/false, not {}", json_kind(choice)));
      }
      if (std::find(parameter_.choices.begin(), parameter_.choices.end(), choice) !=
          parameter_.choices.end()) {
        return Error(fmt::format("choices: {} stands twice", choice.dump()));
      }
      parameter_.choices.push_back(choice);
    }
    return read_flag("ordered", parameter_.ordered);
  }

  Status read_constant() {
    const Json* value = get("value");
    if (value == nullptr || !is_scalar(*value)) {
      return Error("value: must be text, a number or true/false");
    }
    parameter_.choices = {*value};
    return {};
  }

  Status read_flag(const char* key, bool& flag) const {
    const Json* json = get(key);
    if (json == nullptr) return {};
    if (!json->is_boolean()) {
      return Error(fmt::format("{}: must be true or false, not {}", key, json_kind(*json)));
    }
    flag = json->get<bool>();
    return {};
  }

  Status read_conditions() {
    const Json* when = get("when");
    if (when == nullptr) return {};
    if (!when->is_object() || when->empty()) {
      return Error("when: must be like {optimizer: sgd} or {optimizer: [sgd, adam]}");
    }
    for (const auto& [parent, values] : when->items()) {
      Condition condition{parent, {}};
      if (values.is_array()) {
        condition.values.assign(values.begin(), values.end());
      } else {
        condition.values = {values};
      }
      if (condition.values.empty()) {
        return Error(fmt::format("when.{}: an empty list never holds; name a value", parent));
      }
      parameter_.when.push_back(std::move(condition));
    }
    return {};
  }

  Status read_default() {
    const Json* value = get("default");
    if (value == nullptr) return {};
    auto parsed = parameter_.parse_value(*value);
    if (!parsed.ok()) return parsed.error().within("default");
    parameter_.default_value = *parsed;
    return {};
  }

  const Json& json_;
  Parameter parameter_;
};

Json conditions_to_json(const std::vector<Condition>& conditions) {
  Json json = Json::object();
  for (const Condition& condition : conditions) {
    json[condition.parameter] =
        condition.values.size() == 1 ? condition.values[0] : Json(condition.values);
  }
  return json;
}

Json number_to_json(const Parameter& parameter, double value) {
  if (parameter.type == ParameterType::kInt) return static_cast<int64_t>(value);
  return value;
}

Json parameter_to_json(const Parameter& parameter) {
  Json json = Json::object();
  const auto* type = std::find_if(kTypeNames.begin(), kTypeNames.end(),
                                  [&](const TypeName& t) { return t.type == parameter.type; });
  json["type"] = type->name;
  if (parameter.type == ParameterType::kConst) {
    json["value"] = parameter.choices[0];
  } else if (parameter.type == ParameterType::kCategorical) {
    json["choices"] = parameter.choices;
    if (parameter.ordered) json["ordered"] = true;
  } else {
    json["low"] = number_to_json(parameter, parameter.low);
    json["high"] = number_to_json(parameter, parameter.high);
    json["log"] = parameter.log;
    if (parameter.step) json["step"] = number_to_json(parameter, *parameter.step);
  }
  if (!parameter.when.empty()) json["when"] = conditions_to_json(parameter.when);
  if (parameter.optional) json["optional"] = true;
  if (parameter.default_value) {
    json["default"] = parameter.value_to_json(*parameter.default_value);
  }
  return json;
}

}  // namespace

Result<Space> Space::from_json(const Json& parameters) {
  if (!parameters.is_object()) {
    return Error(
        fmt::format("must be an object {{name: {{type: ...}}}}, not {}", json_kind(parameters)));
  }
  std::vector<Parameter> read;
  for (const auto& [name, json] : parameters.items()) {
    if (name.empty()) return Error("a parameter has an empty name; name it");
    auto parameter = ParameterReader(name, json).read();
    if (!parameter.ok()) return parameter.error().within(name);
    read.push_back(std::move(parameter).value());
  }
  return create(std::move(read));
}

Result<Space> Space::from_yaml(std::string_view text) {
  CMBO_TRY(const Json json, yaml_to_json(text));
  return from_json(json);
}

Json Space::to_json() const {
  Json json = Json::object();
  for (const Parameter& parameter : parameters_) {
    json[parameter.name] = parameter_to_json(parameter);
  }
  return json;
}

}  // namespace cmbo::space
