// SPDX-License-Identifier: Apache-2.0
//
// The methods that can be replayed, by name. A further one is a row in methods.cpp.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "curves/curve_table.h"
#include "decide/cmbo_policy.h"
#include "decide/policy.h"
#include "decide/utility.h"
#include "forecast/sampler.h"
#include "network/model.h"

namespace cmbo::replay {

// What a method is given of a task: never its curves. References outlive the policy.
struct Problem {
  const curves::CurveTable& pool;  // for its configurations and horizon only
  const decide::Utility& utility;
  double budget = 300;
  uint64_t seed = 1;
  decide::Acquisition acquisition = decide::Acquisition::kUtility;
  double commitment = 0.0;  // of cmbo: see cmbo_policy.h
  forecast::SamplingOptions sampling = {};
  const network::Model* model = nullptr;                       // where needs_model
  std::span<const curves::CurveTable* const> training_tables;  // where needs_training
};

struct Method {
  std::string_view name;
  bool draws;           // whether the seed matters; others run once
  bool needs_model;     // one that was not trained on the task
  bool needs_training;  // tables of other tasks that share the pool
  std::unique_ptr<decide::Policy> (*make)(const Problem& problem);
};

std::span<const Method> methods();
// nullptr if there is none of that name.
const Method* find_method(std::string_view name);

}  // namespace cmbo::replay
