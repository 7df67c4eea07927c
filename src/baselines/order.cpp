// SPDX-License-Identifier: Apache-2.0
#include "baselines/order.h"

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

}  // namespace cmbo::baselines
