// SPDX-License-Identifier: Apache-2.0
//
// What earlier tasks tell about a configuration that they have tried too.
//
// Tasks over the same configurations are often alike but for a stretch: what is best in one is best
// in the other, only further from the value before training. So every earlier task k is laid over
// what has been observed of the present one,
//
//   y'_k = y_0 + s_k (y_k - y_0k), within [0,1]      s_k by least squares over the observed curves,
//                                                    drawn towards 1 while they are few
//   d_k  = mean over these curves, y_0 one of them, of the mean |y - y'_k| over their epochs
//   w_k  ~ exp(-d_k / c)
//
// and the hints are what the tasks that fit say by these weights. They are inputs of a network,
// which learns in training how far to trust them: the tasks that an example was made of are kept
// back.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "curves/curve_table.h"

namespace cmbo::curves {

// For each row: 1 if any task knows it, else all are 0; its value after a 25th, a fifth, half and
// all of the horizon, the best of all epochs, and by how much tasks differ about that; the end, the
// best and the difference once more, by weights that tell tasks less apart; how far the task that
// fits best is off so far (the same for all rows).
inline constexpr size_t kHints = 11;

// Tables of earlier tasks over one pool of configurations: row n of the present task is rows[n] in
// each of them.
struct Relatives {
  static constexpr uint32_t kUnknown = UINT32_MAX;  // not in the pool
  std::span<const CurveTable> tables;
  std::span<const uint32_t> rows;  // [N]
};

// [N][kHints] from the rows of `observed` that are in `context`; a row's epochs beyond lengths[n]
// are not looked at. Empty without relatives of the same horizon.
std::vector<float> hints_of(const Relatives& relatives, const CurveTable& observed,
                            std::span<const uint32_t> context);

// The tables of earlier tasks, found by configuration. Immutable, so safe to share between threads.
class Records {
 public:
  Records() = default;
  // Keeps those over the pool of configurations that most of them share.
  explicit Records(std::vector<CurveTable> tables);
  Records(Records&&) = default;
  Records& operator=(Records&&) = default;

  // Hints for a table over any configurations; those that are in the pool are recognized.
  std::vector<float> hints(const CurveTable& observed, std::span<const uint32_t> context) const;

  const std::vector<CurveTable>& tables() const { return tables_; }

 private:
  std::vector<CurveTable> tables_;
  std::unordered_map<std::string_view, uint32_t> row_of_;  // by the bytes of a configuration
};

}  // namespace cmbo::curves
