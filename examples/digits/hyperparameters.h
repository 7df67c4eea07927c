// SPDX-License-Identifier: Apache-2.0
//
// What a study may change about a training. A parameter has one name everywhere: in the study
// file, in $CMBO_PARAMS and, with -- in front, on the command line.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/json.h"
#include "base/result.h"

namespace cmbo::digits {

enum class Schedule { kConstant, kCosine, kLinear };

struct Hyperparameters {
  double learning_rate = 0.1;  // at the start
  double momentum = 0.9;       // heavy ball
  double weight_decay = 1e-4;  // added to the gradient, times the weight
  size_t width = 64;           // of a hidden layer
  size_t depth = 2;            // hidden layers
  size_t batch_size = 32;
  double dropout = 0.1;  // after every hidden layer
  // How the learning rate falls until the last step of the horizon.
  Schedule schedule = Schedule::kCosine;
};

// A parameter's name and what it means.
struct ParameterHelp {
  const char* name;
  const char* help;
};
std::span<const ParameterHelp> parameter_helps();

// Sets one by its name. An error names it and what it may be.
Status set_parameter(Hyperparameters& parameters, std::string_view name, const Json& value);
// Sets those that the object {name: value} has.
Status set_parameters(Hyperparameters& parameters, const Json& values);

// All of them, {name: value}.
Json to_json(const Hyperparameters& parameters);

// The learning rate's factor when `progress` of the horizon, 0 to 1, is over.
double schedule_factor(Schedule schedule, double progress);

}  // namespace cmbo::digits
