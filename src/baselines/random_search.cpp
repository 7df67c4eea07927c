// SPDX-License-Identifier: Apache-2.0
#include "baselines/random_search.h"

#include <algorithm>

#include "base/check.h"
#include "baselines/order.h"

namespace cmbo::baselines {

RandomSearch::RandomSearch(uint64_t seed) : seed_(seed) {}

Result<decide::Choice> RandomSearch::choose(const decide::History& history) {
  if (order_.size() != history.size()) order_ = random_order(history.size(), seed_);
  const auto first = [&](auto condition) {
    return std::find_if(order_.begin(), order_.end(), condition);
  };
  auto next = first([&](uint32_t n) { return history.is_candidate(n) && history.epochs(n) > 0; });
  if (next == order_.end()) next = first([&](uint32_t n) { return history.is_candidate(n); });
  CHECK(next != order_.end(), "a policy is asked only while there are candidates");
  decide::Choice choice;
  choice.configuration = *next;
  return choice;
}

}  // namespace cmbo::baselines
