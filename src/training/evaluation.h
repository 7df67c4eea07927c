// SPDX-License-Identifier: Apache-2.0
//
// How good forecasts are on tasks that a model has not seen: for every total number of observations
// and every length of the asked curve's own prefix.
#pragma once

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

struct Cell {
  size_t total;
  size_t prefix;
  Scores last;   // at the last epoch
  Scores later;  // at a random later epoch
};

// Cells in the order of the options, totals outermost. Prefixes that reach a table's horizon are
// left out for it. The same for any number of threads.
std::vector<Cell> evaluate(const network::Model& model, std::span<const curves::CurveTable> tables,
                           const EvaluationOptions& options, ThreadPool& pool);

// Means over cells, each counting the same.
struct Overall {
  Scores last, later;
};
Overall overall(std::span<const Cell> cells);

}  // namespace cmbo::training
