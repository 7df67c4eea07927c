// SPDX-License-Identifier: Apache-2.0
//
// One hyperparameter: its values, their scale, and the condition under which it matters.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/json.h"
#include "base/result.h"

namespace cmbo::space {

enum class ParameterType { kFloat, kInt, kCategorical, kConst };

// "Active only while `parameter` has one of `values`."
struct Condition {
  std::string parameter;
  std::vector<Json> values;
};

// A value of a parameter is a double everywhere inside: the number of a float or an int, the index
// into `choices` of a category or a constant. Bounds are inclusive. Int bounds are at most 2^48 in
// size, so that a double holds every value exactly.
struct Parameter {
  std::string name;
  ParameterType type = ParameterType::kFloat;
  double low = 0.0;                     // float, int
  double high = 1.0;                    // float, int
  bool log = false;                     // float, int: scale by the logarithm; needs low > 0
  std::optional<double> step;           // float, int: only low, low + step, ...; not with log
  std::vector<Json> choices;            // categorical: at least one scalar; const: exactly one
  bool ordered = false;                 // categorical: the order of the choices means something
  std::vector<Condition> when;          // all must hold, otherwise the parameter is inactive
  bool optional = false;                // may be absent without a stated condition
  std::optional<double> default_value;  // tried first by a study

  // Whether a configuration may lack this parameter.
  bool can_be_inactive() const { return optional || !when.empty(); }

  // How many values there are; nullopt = a continuum.
  std::optional<uint64_t> count() const;

  // value -> [0, 1] and back. A value of a discrete parameter sits in the middle of its share of
  // the interval, so that from_unit(to_unit(v)) == v exactly and a uniform number gives every value
  // its due. One-hot coding is the business of Space.
  double to_unit(double value) const;
  double from_unit(double unit) const;

  // The value of index `index` of count().
  double nth_value(uint64_t index) const;

  // Whether the coordinate is one-hot: an unordered category of two or more choices.
  bool is_one_hot() const {
    return type == ParameterType::kCategorical && !ordered && choices.size() > 1;
  }

  // JSON scalar -> value, or an Error that names the value and what would be right. A number that
  // misses a bound by rounding only (a millionth) is moved onto it.
  Result<double> parse_value(const Json& json) const;
  Json value_to_json(double value) const;
};

}  // namespace cmbo::space
