// SPDX-License-Identifier: Apache-2.0
#include "digits/hyperparameters.h"

#include <array>
#include <cmath>
#include <fmt/format.h>
#include <numbers>

namespace cmbo::digits {

namespace {

constexpr std::array<const char*, 3> kScheduleNames = {"constant", "cosine", "linear"};

struct RealField {
  ParameterHelp help;
  double Hyperparameters::*member;
  double low, high;
};
struct CountField {
  ParameterHelp help;
  size_t Hyperparameters::*member;
  size_t high;  // from 1 on
};

using H = Hyperparameters;
constexpr std::array<RealField, 4> kReals = {{
    {{"learning_rate", "at the start"}, &H::learning_rate, 0.0, 1000.0},
    {{"momentum", "of the past steps, 0 to 1"}, &H::momentum, 0.0, 1.0},
    {{"weight_decay", "pulls every weight towards 0"}, &H::weight_decay, 0.0, 1000.0},
    {{"dropout", "share of hidden units left out, 0 to 0.95"}, &H::dropout, 0.0, 0.95},
}};
constexpr std::array<CountField, 3> kCounts = {{
    {{"width", "units of a hidden layer"}, &H::width, 4096},
    {{"depth", "hidden layers"}, &H::depth, 32},
    {{"batch_size", "samples in a step"}, &H::batch_size, 65536},
}};
constexpr ParameterHelp kSchedule = {"schedule", "learning rate: constant, cosine or linear"};

Status set_real(double& target, const RealField& field, const Json& value) {
  if (!value.is_number() || !(value >= field.low && value <= field.high)) {
    return Error(fmt::format("{}: must be a number from {} to {}, not {}", field.help.name,
                             field.low, field.high, value.dump()));
  }
  target = value.get<double>();
  return {};
}

Status set_count(size_t& target, const CountField& field, const Json& value) {
  const double number = value.is_number() ? value.get<double>() : 0.0;
  if (!(number >= 1.0 && number <= static_cast<double>(field.high)) ||
      number != std::floor(number)) {
    return Error(fmt::format("{}: must be a whole number from 1 to {}, not {}", field.help.name,
                             field.high, value.dump()));
  }
  target = static_cast<size_t>(number);
  return {};
}

Status set_schedule(Schedule& target, const Json& value) {
  for (size_t i = 0; i < kScheduleNames.size(); ++i) {
    if (value.is_string() && value == kScheduleNames[i]) {
      target = static_cast<Schedule>(i);
      return {};
    }
  }
  return Error(fmt::format("schedule: must be constant, cosine or linear, not {}", value.dump()));
}

}  // namespace

std::span<const ParameterHelp> parameter_helps() {
  static constexpr std::array<ParameterHelp, 8> kAll = {
      kReals[0].help,  kReals[1].help,  kReals[2].help, kCounts[0].help,
      kCounts[1].help, kCounts[2].help, kReals[3].help, kSchedule};
  return kAll;
}

Status set_parameter(Hyperparameters& parameters, std::string_view name, const Json& value) {
  for (const RealField& field : kReals) {
    if (name == field.help.name) return set_real(parameters.*field.member, field, value);
  }
  for (const CountField& field : kCounts) {
    if (name == field.help.name) return set_count(parameters.*field.member, field, value);
  }
  if (name == kSchedule.name) return set_schedule(parameters.schedule, value);
  return Error(fmt::format("{}: no such parameter; see --help for those there are", name));
}

Status set_parameters(Hyperparameters& parameters, const Json& values) {
  if (!values.is_object()) return Error("the parameters must be an object {name: value}");
  for (const auto& [name, value] : values.items()) {
    CMBO_RETURN_IF_ERROR(set_parameter(parameters, name, value));
  }
  return {};
}

Json to_json(const Hyperparameters& parameters) {
  Json json = Json::object();
  for (const RealField& field : kReals) json[field.help.name] = parameters.*field.member;
  for (const CountField& field : kCounts) json[field.help.name] = parameters.*field.member;
  json[kSchedule.name] = kScheduleNames[static_cast<size_t>(parameters.schedule)];
  return json;
}

double schedule_factor(Schedule schedule, double progress) {
  switch (schedule) {
    case Schedule::kConstant:
      return 1.0;
    case Schedule::kCosine:
      return 0.5 * (1.0 + std::cos(std::numbers::pi * progress));
    case Schedule::kLinear:
      return 1.0 - progress;
  }
  CHECK(false, "every schedule has its formula");
}

}  // namespace cmbo::digits
