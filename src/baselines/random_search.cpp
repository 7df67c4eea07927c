// SPDX-License-Identifier: Apache-2.0
#include "baselines/random_search.h"

#include <algorithm>

#include "base/check.h"
#include "baselines/order.h"

namespace cmbo::baselines {

RandomSearch::RandomSearch(size_t count, uint64_t seed) : order_(random_order(count, seed)) {}

Result<decide::Choice> RandomSearch::choose(const decide::History& history) {
  const auto next =
      std::find_if(order_.begin(), order_.end(), [&](uint32_t n) { return !history.finished(n); });
  CHECK(next != order_.end(), "a policy is asked only while there are candidates");
  decide::Choice choice;
  choice.configuration = *next;
  return choice;
}

}  // namespace cmbo::baselines
