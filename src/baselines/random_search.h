// SPDX-License-Identifier: Apache-2.0
//
// Random search (Bergstra and Bengio, "Random Search for Hyper-Parameter Optimization", 2012):
// configurations in random order, each trained to the last epoch before the next one starts (with
// several workers, before any other one starts that is not being trained already).
#pragma once

#include "decide/policy.h"

namespace cmbo::baselines {

class RandomSearch : public decide::Policy {
 public:
  explicit RandomSearch(uint64_t seed);

  Result<decide::Choice> choose(const decide::History& history) override;

 private:
  uint64_t seed_;
  std::vector<uint32_t> order_;  // of the pool that was asked about last
};

}  // namespace cmbo::baselines
