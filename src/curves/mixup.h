// SPDX-License-Identifier: Apache-2.0
//
// New training tables from recorded ones, by the paper's two mixups:
//
//   across tasks           L' = lambda1 L_m + (1 - lambda1) L_m'
//   across configurations  (x", l") = lambda2 (x_n, l'_n) + (1 - lambda2) (x_n', l'_n')
//
// with L_m the curves of task m, l'_n row n of L'. One lambda1 ~ U(-r, 1+r) serves all rows of a
// drawn table, y_0 included, so that the correlations between configurations stay; lambda2 ~ U(0,1)
// is drawn for every row. In the paper r = 0; a larger one exaggerates what sets two tasks apart,
// for a new task is rarely a mean of old ones (values are kept in [0,1]). Tasks are mixed only if
// their tables hold the same configurations in the same order; any other table is drawn as itself.
// A mixed curve ends with the shortest of its parents.
//
// A search looks at the few best of a thousand configurations, which uniform draws hardly ever
// hold. So some of the rows may be *elites*, drawn because they are good in a task that the table
// is not made of, as a search with that task in mind would draw them.
//
// Every coordinate of x is mixed alike, those of one-hot categories and of inactive marks too: a
// convex combination stays in [0,1], one-hot coordinates still sum to 1 and read as shares of the
// parents, and an inactive mark reads as how much of the row is inactive.
#pragma once

#include <vector>

#include "base/random.h"
#include "curves/curve_table.h"

namespace cmbo::curves {

struct MixupOptions {
  bool across_tasks = true;           // mix the curves of two tasks with the same configurations
  double beyond = 0.0;                // r >= 0, how far lambda1 goes beyond 0 and 1, above y_0
  bool across_configurations = true;  // mix pairs of rows; without it all rows are single ones
  double unmixed_share = 0.5;         // share of the rows, in [0,1], that keep one configuration
  bool relatives = false;             // draw what the other tasks say of the same rows, too
  double elite_share = 0.0;           // in [0,1], of the rows: single ones, good in another task
  double parents_kept_back = 0.7;     // share of these draws that leave out the tasks of the table
};

struct DrawnTable {
  CurveTable table;
  // The same rows in other tasks over the same configurations, mixed as those of the table are.
  std::vector<CurveTable> relatives;
  // The best values of the rows in the task that made elites of some: one that the table is not
  // made of, so that nothing is given away. Empty where there are no elites.
  std::vector<float> elsewhere;
};

// Whether row n of both is the same configuration, for all n, over the same horizon.
bool share_configurations(const CurveTable& a, const CurveTable& b);

// Two tables that share configurations, or twice the same one; lambda1 is the weight of `first`.
struct TaskMix {
  const CurveTable& first;
  const CurveTable& second;
  float lambda = 1.0f;
};

// Two rows of them, or twice the same one; lambda2 is the weight of row `first`.
struct RowMix {
  size_t first = 0;
  size_t second = 0;
  float lambda = 1.0f;
};

// Adds one row, and no more is computed, to a table of the same dimensions and horizon. A weight of
// 1 copies exactly.
void add_mixed_row(const TaskMix& tasks, const RowMix& rows, CurveTable& table);

// The recorded tables and which of them can be mixed. Immutable, so safe to share between threads.
class Mixup {
 public:
  // Needs at least one table, and at least one row in each. The tables are compared here, once.
  explicit Mixup(std::vector<CurveTable> tables);

  // A table of `count` rows of one or two random tasks: m is uniform over all tables, m' over those
  // that share configurations with m, m itself among them. Single rows are drawn without
  // replacement; there are never more of them than the task has, so without `across_configurations`
  // the result may be shorter. Pairs are two different rows, drawn afresh for every row. Single and
  // mixed rows stand in random order. The result depends on the tables, the options and the state
  // of `random` alone. Relatives are all tasks that share configurations with m, m and m' among
  // them or not; in half of the draws some more are missing, in a tenth all. Elites are as good in
  // one random task that is neither m nor m' as an exponential rank of mean 40 tells; without such
  // a task there are none.
  DrawnTable draw(size_t count, const MixupOptions& options, Random& random) const;

  const std::vector<CurveTable>& tables() const { return tables_; }
  // The indices of the tables that share configurations with table m, in order, m among them.
  const std::vector<size_t>& partners(size_t m) const { return groups_[group_of_[m]]; }

 private:
  std::vector<CurveTable> tables_;
  std::vector<std::vector<size_t>> groups_;
  std::vector<size_t> group_of_;                 // [table]
  std::vector<std::vector<size_t>> best_first_;  // [table][its rows]
};

}  // namespace cmbo::curves
