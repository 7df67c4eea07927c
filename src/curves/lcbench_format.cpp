// SPDX-License-Identifier: Apache-2.0
//
// LCBench, data_2k.json and data_2k_lw.json:
//
//   {dataset: {config id: {"config": {...}, "log": {tag: [one value an epoch, 0..51]},
//                          "results": {tag: ...}}}}
//
// The accuracies are percentages there. Copies in shares of 1 exist, so the values decide: from the
// first dataset with a value above 1 on, the file is taken to be in percent.
#include <algorithm>
#include <fmt/format.h>

#include "curves/formats.h"
#include "curves/json_visitor.h"
#include "curves/values.h"

namespace cmbo::curves {

namespace {

constexpr std::string_view kTag = "Train/val_balanced_accuracy";
constexpr float kPercent = 100.0f;

// The seven hyperparameters that vary; every other key of `config` is ignored.
constexpr std::string_view kLcbenchSpace = R"({
  "batch_size":    {"type": "int",   "low": 16,   "high": 512, "log": true},
  "learning_rate": {"type": "float", "low": 1e-4, "high": 0.1, "log": true},
  "momentum":      {"type": "float", "low": 0.1,  "high": 0.99},
  "weight_decay":  {"type": "float", "low": 1e-5, "high": 0.1},
  "num_layers":    {"type": "int",   "low": 1,    "high": 5},
  "max_units":     {"type": "int",   "low": 64,   "high": 1024, "log": true},
  "max_dropout":   {"type": "float", "low": 0.0,  "high": 1.0}})";

struct LcbenchRun {
  std::string id;
  space::Configuration configuration;
  std::vector<float> curve;
};

// Depth of the path: 0 file, 1 dataset, 2 configuration, 3 config, log or results, 4 tag.
class LcbenchVisitor : public JsonVisitor {
 public:
  LcbenchVisitor(space::Space space, CurveSet& set) : space_(std::move(space)), set_(set) {}

  Visit visit(const JsonPath& path) override {
    switch (path.size()) {
      case 3:
        if (path[2] == "config") return Visit::kTake;
        return path[2] == "log" || path[2] == "results" ? Visit::kEnterObject : Visit::kSkip;
      case 4:
        return path[3] == kTag ? Visit::kTake : Visit::kSkip;
      default:
        return Visit::kEnterObject;
    }
  }

  Status take(const JsonPath& path, Json value) override {
    if (path[2] == "config") return take_configuration(value);
    if (path[2] == "log") {
      CMBO_TRY(log_curve_, curve_from_json(value));
    } else if (value.is_array()) {  // otherwise a summary, which no curve is lost with
      CMBO_TRY(results_curve_, curve_from_json(value));
    }
    return {};
  }

  Status leave(const JsonPath& path) override {
    switch (path.size()) {
      case 0:
        if (tasks_ == 0) return Error("the file holds no dataset; fetch it again");
        return {};
      case 1:
        return finish_task(path[0]);
      case 2:
        return finish_run(path[1]);
      default:
        return {};
    }
  }

 private:
  Status take_configuration(const Json& config) {
    if (!config.is_object()) {
      return Error(fmt::format("must be an object, not {}; correct it", json_kind(config)));
    }
    std::vector<double> values;
    for (const space::Parameter& parameter : space_.parameters()) {
      const auto found = config.find(parameter.name);
      if (found == config.end()) {
        return Error(fmt::format("'{}' is missing; give it a value", parameter.name));
      }
      // Some copies have numbers in quotes.
      std::optional<double> number;
      if (found->is_string()) number = number_from_text(found->get_ref<const std::string&>());
      if (!number && !found->is_number()) {
        return Error(fmt::format("'{}' must be a number, not {}; correct it", parameter.name,
                                 json_kind(*found)));
      }
      CMBO_TRY(const double value, parameter.parse_value(number ? Json(*number) : *found));
      values.push_back(value);
    }
    configuration_ = space::Configuration(std::move(values));
    return {};
  }

  Status finish_run(const std::string& id) {
    if (configuration_.size() == 0) return Error("'config' is missing; add it or fetch the file");
    std::vector<float>& curve = log_curve_.empty() ? results_curve_ : log_curve_;
    if (curve.empty()) {
      return Error(
          fmt::format("'{}' is missing in log and results; add it or fetch the file again", kTag));
    }
    runs_.push_back({id, std::move(configuration_), std::move(curve)});
    configuration_ = {};
    log_curve_ = {};
    results_curve_ = {};
    return {};
  }

  Status finish_task(const std::string& name) {
    scale_to_shares();
    size_t longest = 0;
    for (const LcbenchRun& run : runs_) longest = std::max(longest, run.curve.size());
    if (longest == 0) return Error("the dataset has no configuration; remove it");
    if (longest == 1) return Error("no curve goes beyond epoch 0; remove the dataset");
    TaskHeader header;
    header.name = name;
    header.metric = "val_balanced_accuracy";
    header.first_epoch = 0;
    header.last_epoch = static_cast<int>(longest) - 1;
    header.range = {0.0, 1.0};
    header.space = space_;
    CMBO_TRY(Task task, Task::create(std::move(header)));
    for (LcbenchRun& run : runs_) {
      const Status added = task.add(std::move(run.configuration), run.curve);
      if (!added.ok()) return added.error().within(excerpt(run.id));
    }
    runs_.clear();
    if (++tasks_ > kMaxTasks) {
      return Error(fmt::format("more than {} datasets; split the file", kMaxTasks));
    }
    return set_.add(std::move(task));
  }

  void scale_to_shares() {
    const auto above_one = [](const LcbenchRun& run) {
      return std::any_of(run.curve.begin(), run.curve.end(), [](float v) { return v > 1.0f; });
    };
    is_percent_ = is_percent_ || std::any_of(runs_.begin(), runs_.end(), above_one);
    if (!is_percent_) return;
    for (LcbenchRun& run : runs_) {
      for (float& value : run.curve) value /= kPercent;
    }
  }

  const space::Space space_;
  CurveSet& set_;
  size_t tasks_ = 0;
  bool is_percent_ = false;
  std::vector<LcbenchRun> runs_;  // of the dataset being read
  space::Configuration configuration_;
  std::vector<float> log_curve_;
  std::vector<float> results_curve_;
};

}  // namespace

Status read_lcbench(ByteSource& source, const std::string& name, CurveSet& set) {
  CMBO_TRY(const Json parameters, parse_json(kLcbenchSpace));
  CMBO_TRY(space::Space space, space::Space::from_json(parameters));
  LcbenchVisitor visitor(std::move(space), set);
  return visit_json(source, name, visitor);
}

}  // namespace cmbo::curves
