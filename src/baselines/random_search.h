// SPDX-License-Identifier: Apache-2.0
//
// Random search (Bergstra and Bengio, "Random Search for Hyper-Parameter Optimization", 2012):
// configurations in random order, each trained to the last epoch before the next one starts.
#pragma once

#include "decide/policy.h"

namespace cmbo::baselines {

class RandomSearch : public decide::Policy {
 public:
  // For a pool of `count` configurations.
  RandomSearch(size_t count, uint64_t seed);

  Result<decide::Choice> choose(const decide::History& history) override;

 private:
  std::vector<uint32_t> order_;
};

}  // namespace cmbo::baselines
