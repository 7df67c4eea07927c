// SPDX-License-Identifier: Apache-2.0
#include "baselines/order.h"

#include <algorithm>
#include <numeric>
#include <span>

#include "base/random.h"

namespace cmbo::baselines {

std::vector<uint32_t> random_order(size_t count, uint64_t seed) {
  std::vector<uint32_t> order(count);
  std::iota(order.begin(), order.end(), 0U);
  Random(seed).shuffle(std::span(order));
  return order;
}

uint32_t best_unfinished(const decide::History& history) {
  const std::vector<uint32_t> open = history.candidates();
  const auto last = [&](uint32_t n) {
    return history.epochs(n) == 0 ? -1.0F : history.curves().curve(n).back();
  };
  return *std::max_element(open.begin(), open.end(),
                           [&](uint32_t a, uint32_t b) { return last(a) < last(b); });
}

}  // namespace cmbo::baselines
