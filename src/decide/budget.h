// SPDX-License-Identifier: Apache-2.0
//
// What may be spent, and what an epoch is expected to cost; both in the user's unit.
#pragma once

#include <cstdint>
#include <vector>

namespace cmbo::decide {

struct Budget {
  double total = 300;                    // B
  std::vector<double> epoch_costs = {};  // of each configuration, above 0; empty = 1 each

  double epoch_cost(uint32_t configuration) const {
    return epoch_costs.empty() ? 1.0 : epoch_costs[configuration];
  }
  // Whether no more than all of it is spent at `cost`. Sums of many costs are rounded, and that
  // must not take the last epoch away.
  bool allows(double cost) const { return cost <= total * (1.0 + 1e-9); }
};

}  // namespace cmbo::decide
