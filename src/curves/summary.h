// SPDX-License-Identifier: Apache-2.0
//
// The figures by which one gets to know a task.
#pragma once

#include <cstddef>
#include <optional>

#include "base/json.h"
#include "curves/task.h"

namespace cmbo::curves {

// In the metric's own units. A value is absent where no finite one exists.
struct TaskSummary {
  size_t configurations = 0;
  size_t repeated = 0;  // runs of a configuration that stands before already
  size_t parameters = 0;
  size_t shortest = 0, longest = 0;         // values of a curve, the one before training included
  size_t diverged = 0;                      // curves with a value that is not finite
  std::optional<double> smallest, largest;  // of all values
  std::optional<double> initial;            // before training
  std::optional<double> best_final;         // of the last values of the curves
  std::optional<double> median_final;       // the same; a diverged curve counts as the worst
};

TaskSummary summarize(const Task& task);

// The header's facts and the summary's figures as one object.
Json summary_to_json(const Task& task, const TaskSummary& summary);

}  // namespace cmbo::curves
