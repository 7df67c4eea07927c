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

// What a method is given of a task: never its curves. References outlive the policy. A method that
// does not need training tables copes with configurations that the pool gains later.
struct Problem {
  const curves::CurveTable& pool;  // for its configurations and horizon only
  const decide::Utility& utility;
  double budget = 300;
  uint64_t seed = 1;
  decide::Acquisition acquisition = decide::Acquisition::kUtility;
  double commitment = 0.0;  // of cmbo: see cmbo_policy.h
  size_t patience = 3;      // likewise
  double depth = 1.0;       // likewise
  bool hindsight = true;    // likewise
  double effort = 1.0;      // share of the usual updates in methods that train networks; for tests
  forecast::SamplingOptions sampling = {};
  const network::Model* model = nullptr;                            // where needs_model
  const network::Model* prior_model = nullptr;                      // where needs_prior_model
  std::span<const curves::CurveTable* const> training_tables = {};  // where needs_training
};

struct Method {
  std::string_view name;
  std::unique_ptr<decide::Policy> (*make)(const Problem& problem);
  bool draws = false;              // whether the seed matters; others run once
  bool uses_utility = false;       // whether the price of a step changes its choices
  bool needs_model = false;        // one that was not trained on the task
  bool needs_training = false;     // tables of other tasks that share the pool
  bool needs_prior_model = false;  // one that was trained on the synthetic prior only
  // How long a decision takes, compared with one without any thought. Only estimates of the time
  // left depend on it.
  uint64_t weight = 1;
};

std::span<const Method> methods();
// nullptr if there is none of that name.
const Method* find_method(std::string_view name);

}  // namespace cmbo::replay
