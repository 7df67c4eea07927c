// SPDX-License-Identifier: Apache-2.0
#include "space/space.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>
#include <unordered_set>

#include "base/check.h"

namespace cmbo::space {

namespace {

constexpr double kNeutral = 0.5;

// How many numbers of the vector hold the value itself, without the inactive mark.
size_t value_width(const Parameter& parameter) {
  if (parameter.type == ParameterType::kConst) return 0;
  return parameter.is_one_hot() ? parameter.choices.size() : 1;
}

void encode_value(const Parameter& parameter, double value, std::span<double> out) {
  if (!parameter.is_one_hot()) {
    for (double& number : out) number = parameter.to_unit(value);
    return;
  }
  std::fill(out.begin(), out.end(), 0.0);
  out[static_cast<size_t>(value)] = 1.0;
}

double decode_value(const Parameter& parameter, std::span<const double> in) {
  if (in.empty()) return 0.0;  // a constant
  if (!parameter.is_one_hot()) return parameter.from_unit(in[0]);
  return static_cast<double>(std::max_element(in.begin(), in.end()) - in.begin());
}

double neutral_share(size_t width) {
  return width == 1 ? kNeutral : 1.0 / static_cast<double>(width);
}

}  // namespace

Result<Space> Space::create(std::vector<Parameter> parameters) {
  Space space;
  space.parameters_ = std::move(parameters);
  std::unordered_set<std::string_view> names;
  for (const Parameter& parameter : space.parameters_) {
    if (!names.insert(parameter.name).second) {
      return Error(fmt::format("{}: the parameter stands twice", parameter.name));
    }
    space.encoded_size_ += value_width(parameter) + (parameter.can_be_inactive() ? 1 : 0);
  }
  CMBO_RETURN_IF_ERROR(space.resolve_conditions());
  CMBO_RETURN_IF_ERROR(space.order_by_conditions());
  return space;
}

Status Space::resolve_conditions() {
  conditions_.resize(size());
  for (size_t i = 0; i < size(); ++i) {
    for (const Condition& condition : parameters_[i].when) {
      const std::string key = fmt::format("{}.when.{}", parameters_[i].name, condition.parameter);
      const auto parent = find(condition.parameter);
      if (!parent) return Error(fmt::format("{}: there is no parameter of that name", key));
      if (parameters_[*parent].type == ParameterType::kFloat) {
        return Error(
            fmt::format("{}: a condition needs an int, categorical or const parameter, "
                        "not a float",
                        key));
      }
      ResolvedCondition resolved{*parent, {}};
      for (const Json& value : condition.values) {
        const auto parsed = parameters_[*parent].parse_value(value);
        if (!parsed.ok()) return parsed.error().within(key);
        resolved.values.push_back(*parsed);
      }
      conditions_[i].push_back(std::move(resolved));
    }
  }
  return {};
}

Status Space::order_by_conditions() {
  std::vector<bool> placed(size(), false);
  const auto parents_placed = [&](size_t i) {
    return std::all_of(conditions_[i].begin(), conditions_[i].end(),
                       [&](const ResolvedCondition& c) { return placed[c.parent]; });
  };
  while (order_.size() < size()) {
    const size_t before = order_.size();
    for (size_t i = 0; i < size(); ++i) {
      if (placed[i] || !parents_placed(i)) continue;
      placed[i] = true;
      order_.push_back(i);
    }
    if (order_.size() > before) continue;
    const auto first =
        static_cast<size_t>(std::find(placed.begin(), placed.end(), false) - placed.begin());
    return Error(fmt::format("{}.when: the conditions form a circle; remove one of them",
                             parameters_[first].name));
  }
  return {};
}

std::optional<size_t> Space::find(std::string_view name) const {
  for (size_t i = 0; i < size(); ++i) {
    if (parameters_[i].name == name) return i;
  }
  return std::nullopt;
}

bool Space::conditions_hold(size_t parameter, std::span<const double> values) const {
  const auto& conditions = conditions_[parameter];
  return std::all_of(conditions.begin(), conditions.end(), [&](const ResolvedCondition& c) {
    return std::find(c.values.begin(), c.values.end(), values[c.parent]) != c.values.end();
  });
}

Result<Configuration> Space::configuration_from_json(const Json& json,
                                                     bool absent_is_inactive) const {
  if (!json.is_object()) {
    return Error(fmt::format("a configuration must be an object, not {}", json_kind(json)));
  }
  std::vector<double> values(size(), Configuration::kInactive);
  for (const auto& [name, value] : json.items()) {
    const auto parameter = find(name);
    if (!parameter) {
      return Error(
          fmt::format("'{}' is not a parameter of the space; remove it or declare it", name));
    }
    CMBO_TRY(values[*parameter], parameters_[*parameter].parse_value(value));
  }
  for (const size_t i : order_) {
    const bool given = !std::isnan(values[i]);
    if (given == conditions_hold(i, values)) continue;
    if (!given && (absent_is_inactive || parameters_[i].optional)) continue;
    return Error(given
                     ? fmt::format("'{}' is given although its condition does not hold; remove it",
                                   parameters_[i].name)
                     : fmt::format("'{}' is missing; give it a value", parameters_[i].name));
  }
  return Configuration(std::move(values));
}

Json Space::configuration_to_json(const Configuration& configuration) const {
  Json json = Json::object();
  for (size_t i = 0; i < size(); ++i) {
    if (!configuration.is_active(i)) continue;
    json[parameters_[i].name] = parameters_[i].value_to_json(configuration[i]);
  }
  return json;
}

std::optional<Configuration> Space::default_configuration() const {
  const bool any = std::any_of(parameters_.begin(), parameters_.end(),
                               [](const Parameter& p) { return p.default_value.has_value(); });
  if (!any) return std::nullopt;
  std::vector<double> values(size(), Configuration::kInactive);
  for (const size_t i : order_) {
    if (!conditions_hold(i, values)) continue;
    values[i] = parameters_[i].default_value.value_or(parameters_[i].from_unit(kNeutral));
  }
  return Configuration(std::move(values));
}

Configuration Space::from_units(std::span<const double> units) const {
  CHECK(units.size() == size(), "one number for each parameter");
  std::vector<double> values(size(), Configuration::kInactive);
  for (const size_t i : order_) {
    if (conditions_hold(i, values)) values[i] = parameters_[i].from_unit(units[i]);
  }
  return Configuration(std::move(values));
}

void Space::encode(const Configuration& configuration, std::span<double> out) const {
  CHECK(configuration.size() == size() && out.size() == encoded_size_,
        "the configuration and the vector must be of this space");
  size_t position = 0;
  for (size_t i = 0; i < size(); ++i) {
    const Parameter& parameter = parameters_[i];
    const std::span<double> slot = out.subspan(position, value_width(parameter));
    position += slot.size();
    const bool active = configuration.is_active(i);
    if (active) {
      encode_value(parameter, configuration[i], slot);
    } else {
      std::fill(slot.begin(), slot.end(), neutral_share(slot.size()));
    }
    if (parameter.can_be_inactive()) out[position++] = active ? 0.0 : 1.0;
  }
}

Configuration Space::decode(std::span<const double> vector) const {
  CHECK(vector.size() == encoded_size_, "the vector must be of this space");
  std::vector<double> values(size());
  std::vector<bool> marked(size(), false);
  size_t position = 0;
  for (size_t i = 0; i < size(); ++i) {
    const size_t width = value_width(parameters_[i]);
    values[i] = decode_value(parameters_[i], vector.subspan(position, width));
    position += width;
    if (parameters_[i].can_be_inactive()) marked[i] = vector[position++] > kNeutral;
  }
  for (const size_t i : order_) {
    // A stated condition decides by itself; the mark speaks where nothing was stated.
    const bool absent = parameters_[i].optional && marked[i];
    if (absent || !conditions_hold(i, values)) values[i] = Configuration::kInactive;
  }
  return Configuration(std::move(values));
}

std::optional<std::vector<Configuration>> Space::enumerate(size_t limit) const {
  std::vector<std::vector<double>> partial = {
      std::vector<double>(size(), Configuration::kInactive)};
  for (const size_t i : order_) {
    const auto count = parameters_[i].count();
    if (!count) return std::nullopt;
    std::vector<std::vector<double>> longer;
    for (std::vector<double>& values : partial) {
      if (!conditions_hold(i, values)) {
        longer.push_back(std::move(values));
        continue;
      }
      for (uint64_t index = 0; index < *count; ++index) {
        if (longer.size() >= limit) return std::nullopt;
        values[i] = parameters_[i].nth_value(index);
        longer.push_back(values);
      }
    }
    if (longer.size() > limit) return std::nullopt;
    partial = std::move(longer);
  }
  std::vector<Configuration> all;
  all.reserve(partial.size());
  for (std::vector<double>& values : partial) all.emplace_back(std::move(values));
  return all;
}

}  // namespace cmbo::space
