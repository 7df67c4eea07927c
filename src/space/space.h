// SPDX-License-Identifier: Apache-2.0
//
// The hyperparameter space: an ordered list of parameters, conditions between them, and the way
// from a configuration to the vector in [0,1]^d that the networks see, and back.
//
//   lr:        {type: float, low: 1e-5, high: 0.1, log: true, default: 1e-3}
//   layers:    {type: int, low: 1, high: 5}                  # both ends inclusive
//   optimizer: {type: categorical, choices: [sgd, adamw]}
//   momentum:  {type: float, low: 0.8, high: 0.999, when: {optimizer: sgd}}
//   augment:   {type: categorical, choices: [none, light, strong], ordered: true}
//   epochs:    {type: const, value: 50}
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "space/configuration.h"
#include "space/parameter.h"

namespace cmbo::space {

// Immutable after creation; safe to share between threads.
class Space {
 public:
  // A space without parameters; its only configuration is empty.
  Space() = default;

  // The ranges of the parameters must be sound. Checks that names are unique, and that conditions
  // are on existing discrete parameters and without a cycle. An error names the key.
  static Result<Space> create(std::vector<Parameter> parameters);
  // From the object {name: {type, low, ...}}, with Optuna's short keys.
  static Result<Space> from_json(const Json& parameters);
  // The same as YAML text.
  static Result<Space> from_yaml(std::string_view text);
  Json to_json() const;

  std::span<const Parameter> parameters() const { return parameters_; }
  size_t size() const { return parameters_.size(); }
  std::optional<size_t> find(std::string_view name) const;

  // From {name: value}. Every active parameter must be given and nothing else; with
  // `absent_is_inactive` a parameter may be missing whatever the conditions say, as in recorded
  // data whose authors did not write the conditions down.
  Result<Configuration> configuration_from_json(const Json& values,
                                                bool absent_is_inactive = false) const;
  Json configuration_to_json(const Configuration& configuration) const;

  // The configuration of the `default` keys, with the middle of the range for the others; nullopt
  // if no parameter has a default.
  std::optional<Configuration> default_configuration() const;

  // From one number in [0,1] for each parameter; conditions decide what is active.
  Configuration from_units(std::span<const double> units) const;

  // Length of the vector: nothing for a constant, the number of choices for an unordered category
  // (one-hot), one for everything else, and one more ("inactive") where a parameter can be.
  size_t encoded_size() const { return encoded_size_; }
  // Fills `out`, of encoded_size() numbers in [0,1]. An inactive parameter becomes a neutral value
  // (0.5, or equal shares of one-hot) and a 1 in its inactive mark.
  void encode(const Configuration& configuration, std::span<double> out) const;
  // The configuration that a vector stands for; exact for what encode() made of discrete values.
  Configuration decode(std::span<const double> vector) const;

  // Every configuration of a discrete space in a fixed order; nullopt if there are more than
  // `limit`, or infinitely many.
  std::optional<std::vector<Configuration>> enumerate(size_t limit) const;

  // Whether the conditions of `parameter` hold, given the values of those it depends on.
  bool conditions_hold(size_t parameter, std::span<const double> values) const;

 private:
  struct ResolvedCondition {
    size_t parent;
    std::vector<double> values;
  };

  Status resolve_conditions();
  Status order_by_conditions();

  std::vector<Parameter> parameters_;
  std::vector<std::vector<ResolvedCondition>> conditions_;  // of each parameter
  std::vector<size_t> order_;  // indices with every parent before its children
  size_t encoded_size_ = 0;
};

}  // namespace cmbo::space
