// SPDX-License-Identifier: Apache-2.0
//
// What a network is asked: the partial curves of a task are known, and some configurations' values
// at some later epochs are wanted.
#pragma once

#include <cstdint>
#include <vector>

#include "curves/curve_table.h"

namespace cmbo::network {

struct Question {
  // Rows with the values observed so far: lengths[n] epochs of row n, possibly none. Its dimensions
  // may be smaller than the network's; the rest counts as 0.
  curves::CurveTable observed;
  // What earlier tasks tell about each row, [N][curves::kHints], or empty: nothing. Where there is
  // something, it stands for the row's configuration.
  std::vector<float> hints;
  // The rows whose observations every asked configuration sees; each has at least one.
  std::vector<uint32_t> context;
  // The rows that are asked, [Q]. Each sees its own observations too.
  std::vector<uint32_t> asked;
  // For each of them the wanted epochs, [Q][epochs_each] in 1..horizon.
  size_t epochs_each = 0;
  std::vector<uint32_t> epochs;

  size_t answers() const { return epochs.size(); }
  // The last observed value of a row, or the value before training: what a copy would repeat.
  float last_value(uint32_t row) const {
    const uint32_t length = observed.lengths[row];
    return length == 0 ? observed.initial : observed.y[row * observed.horizon + length - 1];
  }
};

// The truth, for training: [Q][epochs_each] each.
struct Targets {
  std::vector<float> values;
  std::vector<float> weights;
};

}  // namespace cmbo::network
