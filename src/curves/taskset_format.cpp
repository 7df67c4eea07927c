// SPDX-License-Identifier: Apache-2.0
//
// TaskSet, one file for each task:
//
//   [{"hp": {"learning_rate": 1e-3, ...}, "train": {"loss": [...]}, "valid": {"loss": [...]},
//     "test": {"loss": [...]}}, ...]
//
// or with the list itself under "valid". It is streamed like LCBench: a file is ten to fifty
// megabytes, of which a third is wanted. Authors do not state ranges, so the smallest and largest
// value found are the bounds.
#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "base/utf8.h"
#include "curves/formats.h"
#include "curves/json_visitor.h"
#include "curves/values.h"

namespace cmbo::curves {

namespace {

struct KnownParameter {
  std::string_view name;
  bool log;  // if all values allow it
};
constexpr std::array<KnownParameter, 8> kKnownParameters = {{
    {"learning_rate", true},
    {"beta1", false},
    {"beta2", false},
    {"epsilon", true},
    {"l1", true},
    {"l2", true},
    {"linear_decay", true},
    {"exponential_decay", true},
}};
const KnownParameter* find_parameter(std::string_view name) {
  return std::find_if(kKnownParameters.begin(), kKnownParameters.end(),
                      [&](const KnownParameter& known) { return known.name == name; });
}

using HpValues = std::array<double, kKnownParameters.size()>;

struct TasksetRun {
  HpValues hp;
  std::vector<float> curve;
};

// Which hyperparameters an entry has; TaskSet's searches over fewer of them leave the others out.
using HpNames = std::array<bool, kKnownParameters.size()>;

// Depth of the path: 0 file, 1 entry, 2 hp, train, valid or test.
class TasksetVisitor : public JsonVisitor {
 public:
  Visit visit(const JsonPath& path) override {
    if (path.empty()) return Visit::kEnterList;
    if (path.size() == 1) return Visit::kEnterObject;
    return path[1] == "hp" || path[1] == "valid" ? Visit::kTake : Visit::kSkip;
  }

  Status take(const JsonPath& path, Json value) override {
    if (path[1] == "hp") return take_hp(value);
    if (!value.is_object()) {
      CMBO_TRY(curve_, curve_from_json(value));
      return {};
    }
    const auto loss = value.find("loss");
    if (loss == value.end()) return Error("'loss' is missing; add the list of validation losses");
    auto curve = curve_from_json(*loss);
    if (!curve.ok()) return curve.error().within("loss");
    curve_ = std::move(curve).value();
    return {};
  }

  Status leave(const JsonPath& path) override {
    if (path.empty()) return {};
    if (!has_hp_) return Error("'hp' is missing; add the hyperparameters");
    if (curve_.empty()) return Error("'valid' is missing; add the validation losses");
    runs_.push_back({hp_, std::move(curve_)});
    curve_.clear();
    has_hp_ = false;
    return {};
  }

  Result<Task> make_task(std::string name) {
    if (runs_.empty()) return Error("the list is empty; fetch the file again");
    size_t longest = 0;
    for (const TasksetRun& run : runs_) longest = std::max(longest, run.curve.size());
    if (longest == 1) return Error("no curve goes beyond epoch 0; fetch the file again");
    TaskHeader header;
    header.name = std::move(name);
    header.metric = "valid_loss";
    header.goal = Goal::kMinimize;
    header.first_epoch = 0;
    header.last_epoch = static_cast<int>(longest) - 1;
    CMBO_TRY(header.space, make_space());
    CMBO_TRY(Task task, Task::create(std::move(header)));
    for (size_t i = 0; i < runs_.size(); ++i) {
      const Status added = task.add(configuration(runs_[i].hp), runs_[i].curve);
      if (!added.ok()) return added.error().within(fmt::format("[{}].valid", i));
    }
    return task;
  }

 private:
  Status take_hp(const Json& hp) {
    if (!hp.is_object()) {
      return Error(fmt::format("must be an object, not {}; correct it", json_kind(hp)));
    }
    HpNames names = {};
    for (const auto& [name, value] : hp.items()) {
      const auto* known = find_parameter(name);
      if (known == kKnownParameters.end()) {
        return Error(
            fmt::format("'{}' is not a hyperparameter of TaskSet; remove it", excerpt(name)));
      }
      if (!value.is_number()) {
        return Error(
            fmt::format("'{}' must be a number, not {}; correct it", name, json_kind(value)));
      }
      const auto index = static_cast<size_t>(known - kKnownParameters.begin());
      hp_[index] = value.get<double>();
      names[index] = true;
    }
    return check_names(names);
  }

  // All entries must have the hyperparameters of the first.
  Status check_names(const HpNames& names) {
    if (runs_.empty()) names_ = names;
    for (size_t i = 0; i < names.size(); ++i) {
      if (names[i] == names_[i]) continue;
      return Error(
          fmt::format("'{}' is {} here, but not in the first entry; give every entry the "
                      "same hyperparameters",
                      kKnownParameters[i].name, names[i] ? "given" : "missing"));
    }
    has_hp_ = true;
    return {};
  }

  Result<space::Space> make_space() const {
    Json parameters = Json::object();
    for (size_t i = 0; i < kKnownParameters.size(); ++i) {
      if (!names_[i]) continue;
      double low = runs_[0].hp[i];
      double high = low;
      for (const TasksetRun& run : runs_) {
        low = std::min(low, run.hp[i]);
        high = std::max(high, run.hp[i]);
      }
      parameters[std::string(kKnownParameters[i].name)] = {
          {"type", "float"},
          {"low", low},
          {"high", high},
          {"log", kKnownParameters[i].log && low > 0}};
    }
    auto space = space::Space::from_json(parameters);
    if (!space.ok()) return space.error().within("hp");
    return space;
  }

  space::Configuration configuration(const HpValues& hp) const {
    std::vector<double> values;
    for (size_t i = 0; i < hp.size(); ++i) {
      if (names_[i]) values.push_back(hp[i]);
    }
    return space::Configuration(std::move(values));
  }

  std::vector<TasksetRun> runs_;
  HpNames names_ = {};
  HpValues hp_ = {};  // of the entry being read
  bool has_hp_ = false;
  std::vector<float> curve_;
};

// The file without its directory and extensions.
std::string task_name(const std::string& file) {
  Path path = Path(file).filename();
  if (path.extension() == ".gz") path = path.stem();
  return path.stem().string();
}

}  // namespace

Status read_taskset(ByteSource& source, const std::string& name, CurveSet& set) {
  const std::string task = task_name(name);
  if (task.empty() || !is_utf8(task)) {
    return Error(
        fmt::format("{}: the file name becomes the task's name and must be UTF-8 text; "
                    "rename the file",
                    name));
  }
  TasksetVisitor visitor;
  CMBO_RETURN_IF_ERROR(visit_json(source, name, visitor));
  auto made = visitor.make_task(task);
  if (!made.ok()) return made.error().within(name);
  const Status added = set.add(std::move(made).value());
  if (!added.ok()) return added.error().within(name);
  return {};
}

}  // namespace cmbo::curves
