// SPDX-License-Identifier: Apache-2.0
//
// Hyperband (Li et al., "Hyperband: A Novel Bandit-Based Approach to Hyperparameter Optimization",
// 2018): the brackets of brackets.h, each filled with random configurations of the
// pool that were not started yet. Configurations compare by their value at the rung's epoch, and a
// promoted one goes on from where it was.
//
// The paper does not say how epochs are rounded; here to the nearest: 2, 6, 17, 50 of 50.
#pragma once

#include "baselines/plan.h"

namespace cmbo::baselines {

struct HyperbandOptions {
  uint32_t eta = 3;  // >= 2: one in eta is promoted
  uint64_t seed = 1;
};

class Hyperband : public PlannedPolicy {
 public:
  explicit Hyperband(const HyperbandOptions& options = {});
};

}  // namespace cmbo::baselines
