// SPDX-License-Identifier: Apache-2.0
//
// Small tables for the tests of policies.
#pragma once

#include <algorithm>
#include <vector>

#include "curves/curve_table.h"

namespace cmbo::baselines {

// One configuration of one dimension for each curve; all of the same length.
inline curves::CurveTable table_of(const std::vector<std::vector<float>>& curves) {
  curves::CurveTable table;
  table.dimensions = 1;
  table.horizon = curves.front().size();
  for (size_t n = 0; n < curves.size(); ++n) {
    const curves::CurveTable::Row row = table.add(curves[n].size());
    row.x[0] = static_cast<float>(n) / static_cast<float>(curves.size());
    std::copy(curves[n].begin(), curves[n].end(), row.y.begin());
  }
  return table;
}

}  // namespace cmbo::baselines
