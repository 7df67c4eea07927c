// SPDX-License-Identifier: Apache-2.0
//
// Many runs as a table: for every benchmark, method and alpha what it came to.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "replay/run_log.h"

namespace cmbo::replay {

// Regrets are normalized, not yet times 100.
struct TaskResult {
  std::string task;
  double regret = 0.0;  // mean over seeds, as the others are
  double best_on_path = 0.0;
  double steps = 0.0;
  double rank = 0.0;  // among the methods on this task
};

struct MethodResult {
  std::string benchmark, method;
  double alpha = 0.0;
  size_t seeds = 0;
  double regret_mean = 0.0;  // over tasks, of the mean over seeds
  std::optional<double> regret_std =
      {};  // over seeds, of the mean over tasks; none for a single seed
  double best_on_path = 0.0;
  double rank = 0.0;  // mean over tasks
  double steps = 0.0;
  double ms_per_decision = 0.0;
  std::vector<TaskResult> tasks = {};
};

// 1 for the smallest value; equal ones, but for rounding, share the mean of their places.
std::vector<double> ranks(std::span<const double> values);

// By benchmark, alpha and method, each in the order in which it first appears. Methods are ranked
// on a task among those that ran on it. The standard deviation has n - 1 in its denominator.
std::vector<MethodResult> aggregate(std::span<const RunRecord* const> runs);

}  // namespace cmbo::replay
