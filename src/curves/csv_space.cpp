// SPDX-License-Identifier: Apache-2.0
#include "curves/csv_space.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <set>

#include "curves/values.h"

namespace cmbo::curves {

namespace {

constexpr double kMaxInt = 0x1.0p48;

// What is known of a column after all its cells were seen.
struct Column {
  bool has_empty = false;
  bool all_numbers = true;
  bool all_whole = true;
  bool all_booleans = true;
  double low = 0;
  double high = 0;
  size_t numbers = 0;
  std::set<std::string_view> texts;  // the different cells; stops growing at one too many

  void add(const std::string& cell) {
    if (cell.empty()) {
      has_empty = true;
      return;
    }
    if (texts.size() <= kMaxInferredChoices) texts.insert(cell);
    all_booleans = all_booleans && (cell == "true" || cell == "false");
    const auto number = number_from_text(cell);
    all_numbers = all_numbers && number.has_value();
    if (!all_numbers) return;
    all_whole = all_whole && *number == std::floor(*number) && std::abs(*number) <= kMaxInt;
    low = numbers == 0 ? *number : std::min(low, *number);
    high = numbers == 0 ? *number : std::max(high, *number);
    ++numbers;
  }
};

Json number_json(const Column& column, double number) {
  if (column.all_whole) return static_cast<int64_t>(number);
  return number;
}

Json numeric_parameter(const Column& column) {
  if (column.low == column.high) {
    return {{"type", "const"}, {"value", number_json(column, column.low)}};
  }
  const bool log = column.low > 0 && column.high / column.low >= kLogScaleRatio;
  return {{"type", column.all_whole ? "int" : "float"},
          {"low", number_json(column, column.low)},
          {"high", number_json(column, column.high)},
          {"log", log}};
}

Json category_parameter(const Column& column) {
  Json choices = Json::array();
  for (const std::string_view text : column.texts) {
    choices.push_back(column.all_booleans ? Json(text == "true") : Json(text));
  }
  if (choices.size() == 1) return {{"type", "const"}, {"value", choices[0]}};
  return {{"type", "categorical"}, {"choices", std::move(choices)}};
}

Result<Json> parameter_of(const Column& column) {
  if (column.texts.empty()) return Error("all cells are empty; remove the column");
  if (!column.all_numbers && column.texts.size() > kMaxInferredChoices) {
    return Error(
        fmt::format("more than {} different texts, which is no hyperparameter; remove the "
                    "column",
                    kMaxInferredChoices));
  }
  Json json = column.all_numbers ? numeric_parameter(column) : category_parameter(column);
  if (column.has_empty) json["optional"] = true;
  return json;
}

}  // namespace

Result<space::Space> infer_space(std::span<const std::string> names,
                                 std::span<const CsvCells* const> rows) {
  Json parameters = Json::object();
  for (size_t i = 0; i < names.size(); ++i) {
    Column column;
    for (const CsvCells* row : rows) column.add((*row)[i]);
    auto parameter = parameter_of(column);
    if (!parameter.ok()) return parameter.error().within(fmt::format("column '{}'", names[i]));
    parameters[names[i]] = std::move(parameter).value();
  }
  auto space = space::Space::from_json(parameters);
  if (!space.ok()) return space.error().within("columns");
  return space;
}

Result<CsvConfigurations> CsvConfigurations::create(space::Space space,
                                                    std::span<const std::string> names) {
  CsvConfigurations made;
  std::vector<bool> has_column(space.size(), false);
  for (const std::string& name : names) {
    const auto parameter = space.find(name);
    if (!parameter) {
      return Error(
          fmt::format("the column '{}' is not a parameter of the space; remove it or "
                      "declare it",
                      excerpt(name)));
    }
    made.parameter_of_column_.push_back(*parameter);
    has_column[*parameter] = true;
  }
  made.choices_.resize(space.size());
  for (size_t i = 0; i < space.size(); ++i) {
    const space::Parameter& parameter = space.parameters()[i];
    if (!has_column[i] && !parameter.can_be_inactive()) {
      return Error(
          fmt::format("the parameter '{}' of the space has no column; add it", parameter.name));
    }
    for (size_t c = 0; c < parameter.choices.size(); ++c) {
      const Json& choice = parameter.choices[c];
      made.choices_[i][choice.is_string() ? choice.get<std::string>() : choice.dump()] =
          static_cast<double>(c);
    }
  }
  made.space_ = std::move(space);
  return made;
}

Result<double> CsvConfigurations::parse(size_t parameter, const std::string& cell) const {
  const auto choice = choices_[parameter].find(cell);
  if (choice != choices_[parameter].end()) return choice->second;
  const auto number = number_from_text(cell);
  const space::Parameter& declared = space_.parameters()[parameter];
  if (number) return declared.parse_value(*number);
  if (!choices_[parameter].empty()) return declared.parse_value(cell);
  return Error(
      fmt::format("'{}' must be a number, not '{}'; correct it", declared.name, excerpt(cell)));
}

Result<space::Configuration> CsvConfigurations::configuration(const CsvCells& cells) const {
  std::vector<double> values(space_.size(), space::Configuration::kInactive);
  for (size_t i = 0; i < cells.size(); ++i) {
    if (cells[i].empty()) continue;
    CMBO_TRY(values[parameter_of_column_[i]], parse(parameter_of_column_[i], cells[i]));
  }
  for (size_t i = 0; i < space_.size(); ++i) {
    const space::Parameter& parameter = space_.parameters()[i];
    const bool given = !std::isnan(values[i]);
    if (given == space_.conditions_hold(i, values) || (!given && parameter.optional)) continue;
    return Error(given
                     ? fmt::format("'{}' is given although its condition does not hold; empty the "
                                   "cell",
                                   parameter.name)
                     : fmt::format("'{}' is missing; fill the cell", parameter.name));
  }
  return space::Configuration(std::move(values));
}

}  // namespace cmbo::curves
