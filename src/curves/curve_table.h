// SPDX-License-Identifier: Apache-2.0
//
// A task as the networks see it: encoded configurations and normalized curves, in float32. Recorded
// tasks, mixtures of them and draws from the synthetic prior all end in this form.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/result.h"
#include "curves/normalization.h"
#include "curves/task.h"

namespace cmbo::curves {

struct CurveTable {
  size_t dimensions = 0;          // d, of a configuration
  size_t horizon = 0;             // T, the last epoch
  float initial = 0.0f;           // y_0, the value before training, the same for all
  std::vector<float> x;           // [N][d] in [0,1]
  std::vector<float> y;           // [N][T] in [0,1], epochs 1..T; 0 beyond a curve's length
  std::vector<uint32_t> lengths;  // [N] recorded epochs of each curve, 0..T

  size_t size() const { return lengths.size(); }
  std::span<const float> configuration(size_t n) const {
    return std::span(x).subspan(n * dimensions, dimensions);
  }
  // The recorded epochs 1..lengths[n].
  std::span<const float> curve(size_t n) const {
    return std::span(y).subspan(n * horizon, lengths[n]);
  }
  // Adds a row and returns its place for the caller to fill; `length` <= horizon.
  struct Row {
    std::span<float> x, y;
  };
  Row add(size_t length);
};

// Where no value before training was recorded, the mean of epoch 1 takes its place, as in the
// paper's treatment of TaskSet.
CurveTable to_table(const Task& task, const Normalization& normalization);

}  // namespace cmbo::curves
