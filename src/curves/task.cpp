// SPDX-License-Identifier: Apache-2.0
#include "curves/task.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace cmbo::curves {

std::string_view goal_name(Goal goal) {
  return goal == Goal::kMaximize ? "maximize" : "minimize";
}

std::optional<Goal> goal_from_name(std::string_view name) {
  if (name == "maximize") return Goal::kMaximize;
  if (name == "minimize") return Goal::kMinimize;
  return std::nullopt;
}

float recorded_value(double value) {
  constexpr auto kLargest = static_cast<double>(std::numeric_limits<float>::max());
  if (!(std::abs(value) <= kLargest)) return std::numeric_limits<float>::quiet_NaN();
  return static_cast<float>(value);
}

Result<Task> Task::create(TaskHeader header) {
  if (header.name.empty()) return Error("task: a task needs a name");
  if (header.metric.empty()) return Error("metric: the metric needs a name");
  if (header.first_epoch != 0 && header.first_epoch != 1) {
    return Error(fmt::format("first_epoch: must be 0 (a value before training) or 1, not {}",
                             header.first_epoch));
  }
  if (header.last_epoch < 1 || header.last_epoch > kMaxEpochs) {
    return Error(
        fmt::format("last_epoch: must be between 1 and {}, not {}", kMaxEpochs, header.last_epoch));
  }
  if (header.range.low && header.range.high && *header.range.low >= *header.range.high) {
    return Error("range: the lower end must be below the upper one");
  }
  return Task(std::move(header));
}

Status Task::add(space::Configuration configuration, std::span<const float> curve) {
  CHECK(configuration.size() == header_.space.size(), "a configuration of another space");
  if (curve.empty()) return Error("the curve is empty; leave the configuration out");
  if (curve.size() > header_.full_length()) {
    return Error(fmt::format(
        "the curve has {} values, but epochs {} to {} make {}; correct last_epoch or the curve",
        curve.size(), header_.first_epoch, header_.last_epoch, header_.full_length()));
  }
  for (const float value : curve) {
    const auto number = static_cast<double>(value);
    if (std::isinf(value)) return Error("a value is infinite; write null for one that diverged");
    if (number < header_.range.low.value_or(number) ||
        number > header_.range.high.value_or(number)) {
      return Error(fmt::format("the value {} of '{}' is outside its range; correct one of them",
                               value, header_.metric));
    }
  }
  configurations_.push_back(std::move(configuration));
  values_.insert(values_.end(), curve.begin(), curve.end());
  offsets_.push_back(values_.size());
  return {};
}

std::optional<double> Task::initial_value() const {
  if (header_.first_epoch != 0) return std::nullopt;
  double sum = 0;
  size_t count = 0;
  for (size_t n = 0; n < size(); ++n) {
    const float first = curve(n)[0];
    if (std::isnan(first)) continue;
    sum += static_cast<double>(first);
    ++count;
  }
  if (count == 0) return std::nullopt;
  return sum / static_cast<double>(count);
}

const Task* CurveSet::find(std::string_view name) const {
  const auto found =
      std::find_if(tasks.begin(), tasks.end(), [&](const Task& t) { return t.name() == name; });
  return found == tasks.end() ? nullptr : &*found;
}

Status CurveSet::add(Task task) {
  if (find(task.name()) != nullptr) {
    return Error(fmt::format("the task '{}' stands twice; rename or remove one", task.name()));
  }
  tasks.push_back(std::move(task));
  return {};
}

}  // namespace cmbo::curves
