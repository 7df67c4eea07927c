// SPDX-License-Identifier: Apache-2.0
#include "curves/curve_table.h"

#include <algorithm>

namespace cmbo::curves {

CurveTable::Row CurveTable::add(size_t length) {
  CHECK(length <= horizon, "a curve longer than the horizon");
  lengths.push_back(static_cast<uint32_t>(length));
  x.resize(size() * dimensions);
  y.resize(size() * horizon);
  return {std::span(x).last(dimensions), std::span(y).last(horizon).first(length)};
}

CurveTable to_table(const Task& task, const Normalization& normalization) {
  CurveTable table;
  table.dimensions = task.space().encoded_size();
  table.horizon = static_cast<size_t>(task.header().last_epoch);
  std::vector<double> encoded(table.dimensions);
  double first_sum = 0;
  size_t first_count = 0;
  for (size_t n = 0; n < task.size(); ++n) {
    const std::span<const float> curve = task.trained(n);
    const CurveTable::Row row = table.add(curve.size());
    task.space().encode(task.configuration(n), encoded);
    std::transform(encoded.begin(), encoded.end(), row.x.begin(),
                   [](double number) { return static_cast<float>(number); });
    std::transform(curve.begin(), curve.end(), row.y.begin(), [&](float value) {
      return static_cast<float>(normalization.normalize(static_cast<double>(value)));
    });
    if (curve.empty()) continue;
    first_sum += static_cast<double>(row.y[0]);
    ++first_count;
  }
  if (const auto initial = task.initial_value()) {
    table.initial = static_cast<float>(normalization.normalize(*initial));
  } else if (first_count > 0) {
    table.initial = static_cast<float>(first_sum / static_cast<double>(first_count));
  }
  return table;
}

}  // namespace cmbo::curves
