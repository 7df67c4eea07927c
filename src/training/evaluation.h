// SPDX-License-Identifier: Apache-2.0
//
// How good forecasts are on tasks that a model has not seen: for every total number of observations
// and every length of the asked curve's own prefix.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "base/thread_pool.h"
#include "curves/curve_table.h"
#include "network/model.h"

namespace cmbo::training {

struct EvaluationOptions {
  std::vector<size_t> totals = {0, 10, 50, 150, 300};    // observations of other curves
  std::vector<size_t> prefixes = {0, 2, 5, 10, 20, 30};  // observations of the asked curve
  size_t asked = 64;                                     // configurations of each cell and task
  uint64_t seed = 1;                                     // draws states and configurations
};

// Means over the answers of a cell.
struct Scores {
  double nll = 0.0;         // negative log density of the truth
  double mae = 0.0;         // absolute error of the median
  double coverage50 = 0.0;  // share of truths within the central 50 % interval
  double coverage90 = 0.0;
  size_t count = 0;

  void add(const Scores& other);  // weighted by count
};

// Of one truth. A diverged one counts by coverage_of_atom(), the first bar being the atom.
Scores score(const network::BarDistribution& distribution, float truth);

// What has become of an asked curve at its last epoch. The density of those that diverge or stay
// is that of an atom, large as soon as it is recognized; so a mean over all depends most on how
// many of each there are.
enum class Fate {
  kDiverged,  // its value is 0
  kStayed,    // within kStaying of the last value that was seen, or of y_0
  kMoved,
};
inline constexpr size_t kFates = 3;
inline constexpr float kStaying = 2e-3F;
Fate fate_of(float truth, float last_seen);

struct Cell {
  size_t total;
  size_t prefix;
  Scores last;                              // at the last epoch
  Scores later;                             // at a random later epoch
  std::array<Scores, kFates> by_fate = {};  // those of `last`
};

// Cells in the order of the options, totals outermost. Prefixes that reach a table's horizon are
// left out for it. The same for any number of threads.
std::vector<Cell> evaluate(const network::Model& model, std::span<const curves::CurveTable> tables,
                           const EvaluationOptions& options, ThreadPool& pool);

// Means over cells, each counting the same.
struct Overall {
  Scores last, later;
  std::array<Scores, kFates> by_fate;  // means over answers
};
Overall overall(std::span<const Cell> cells);

}  // namespace cmbo::training
