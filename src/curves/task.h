// SPDX-License-Identifier: Apache-2.0
//
// Recorded learning curves: a Task is one training problem with the curves of many configurations,
// a CurveSet is a collection of tasks. Values are in the metric's own units.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "space/space.h"

namespace cmbo::curves {

enum class Goal { kMaximize, kMinimize };

std::string_view goal_name(Goal goal);
std::optional<Goal> goal_from_name(std::string_view name);

// A number from a file as a curve holds it: what is not finite, or too large for a float, is NaN.
float recorded_value(double value);

// Hard limits of a metric; an absent side is unbounded.
struct Range {
  std::optional<double> low;
  std::optional<double> high;
};

// What is known of a task apart from its curves.
struct TaskHeader {
  std::string name;
  std::string metric;
  Goal goal = Goal::kMaximize;
  std::string fidelity = "epoch";  // what a step is called
  int first_epoch = 1;             // 0: the first value of each curve was taken before any training
  int last_epoch = 1;              // the horizon; curves may be shorter
  Range range;
  space::Space space;
  Json notes = Json::object();  // whatever else the file said, e.g. its source; kept, not used

  // How many values a complete curve has.
  size_t full_length() const {
    return static_cast<size_t>(last_epoch) + (first_epoch == 0 ? 1 : 0);
  }
};

// No task has more epochs or configurations than this; a larger number is a corrupt file.
inline constexpr int kMaxEpochs = 100'000;

// Immutable once filled; then safe to share between threads. All values stand in one array.
class Task {
 public:
  // The header must be sound: a name, a metric, 0 <= first_epoch <= 1 <= last_epoch <= kMaxEpochs.
  static Result<Task> create(TaskHeader header);

  // Adds a configuration and its values from first_epoch on; NaN = not finite, i.e. diverged. Fails
  // on an empty or too long curve, and on a value outside the metric's range. A configuration may
  // stand twice: it was run twice.
  Status add(space::Configuration configuration, std::span<const float> curve);

  const TaskHeader& header() const { return header_; }
  const std::string& name() const { return header_.name; }
  const space::Space& space() const { return header_.space; }

  size_t size() const { return configurations_.size(); }
  const space::Configuration& configuration(size_t n) const { return configurations_[n]; }
  // The recorded values of first_epoch, first_epoch + 1, ...
  std::span<const float> curve(size_t n) const {
    return std::span(values_).subspan(offsets_[n], offsets_[n + 1] - offsets_[n]);
  }
  // The same from epoch 1 on: without the value taken before training.
  std::span<const float> trained(size_t n) const {
    return curve(n).subspan(header_.first_epoch == 0 ? 1 : 0);
  }
  // All values of all curves.
  std::span<const float> values() const { return values_; }

  // The value before training: the mean of the finite 0-epoch values, if any was recorded.
  std::optional<double> initial_value() const;

 private:
  explicit Task(TaskHeader header) : header_(std::move(header)) {}

  TaskHeader header_;
  std::vector<space::Configuration> configurations_;
  std::vector<float> values_;
  std::vector<size_t> offsets_ = {0};  // curve n is values_[offsets_[n] .. offsets_[n + 1])
};

struct CurveSet {
  std::vector<Task> tasks;

  const Task* find(std::string_view name) const;
  // Adds a task; two of one name are an error.
  Status add(Task task);
};

}  // namespace cmbo::curves
