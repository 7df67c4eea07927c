// SPDX-License-Identifier: Apache-2.0
//
// PD1, pd1_*_results.jsonl[.gz]: one run a line, about a hundred keys each, of which these count:
//
//   dataset, model, hps.batch_size, hps.activation_function     name the task
//   hps.lr_hparams.*, hps.opt_hparams.momentum                  are the configuration
//   status, valid/error_rate, global_step                       are the curve
//
// As in the paper's appendix, runs that diverged, or have fewer than two values or a null among
// them, are dropped, and the others are interpolated linearly to 51 points over their steps.
#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <unordered_map>

#include "curves/formats.h"
#include "curves/json_visitor.h"
#include "curves/line_reader.h"
#include "curves/values.h"

namespace cmbo::curves {

namespace {

constexpr size_t kPoints = 51;

constexpr std::string_view kPd1Space = R"({
  "lr_initial_value":      {"type": "float", "low": 1e-5, "high": 10, "log": true},
  "lr_power":              {"type": "float", "low": 0.1,  "high": 2},
  "lr_decay_steps_factor": {"type": "float", "low": 0.01, "high": 0.99},
  "one_minus_momentum":    {"type": "float", "low": 1e-5, "high": 1, "log": true}})";

// Where the parameters of kPd1Space stand, in its order; the last holds the momentum itself.
constexpr std::array<const char*, 4> kHpKeys = {
    "hps.lr_hparams.initial_value", "hps.lr_hparams.power", "hps.lr_hparams.decay_steps_factor",
    "hps.opt_hparams.momentum"};
constexpr size_t kMomentum = 3;

constexpr const char* kCurveKey = "valid/error_rate";
constexpr const char* kStepsKey = "global_step";
constexpr const char* kModelWithActivation = "max_pooling_cnn";
constexpr std::array<const char*, 2> kActivationKeys = {"hps.activation_function",
                                                        "hps.activation_fn"};

bool is_wanted(std::string_view key) {
  constexpr std::array<std::string_view, 6> kOthers = {"dataset", "model",   "hps.batch_size",
                                                       "status",  kCurveKey, kStepsKey};
  const auto in = [&](const auto& keys) {
    return std::find(keys.begin(), keys.end(), key) != keys.end();
  };
  return in(kOthers) || in(kHpKeys) || in(kActivationKeys);
}

// Keeps the wanted keys of a line.
class RunVisitor : public JsonVisitor {
 public:
  Visit visit(const JsonPath& path) override {
    if (path.empty()) return Visit::kEnterObject;
    return is_wanted(path[0]) ? Visit::kTake : Visit::kSkip;
  }
  Status take(const JsonPath& path, Json value) override {
    run_[path[0]] = std::move(value);
    return {};
  }
  Status leave(const JsonPath&) override { return {}; }

  const Json& run() const { return run_; }

 private:
  Json run_ = Json::object();
};

// The value of `key`; null if it is absent.
const Json& get(const Json& run, const char* key) {
  static const Json null;
  const auto found = run.find(key);
  return found == run.end() ? null : *found;
}

Result<std::string> get_text(const Json& run, const char* key) {
  const Json& value = get(run, key);
  if (value.is_string() && !value.get_ref<const std::string&>().empty()) {
    return value.get<std::string>();
  }
  return Error(fmt::format("'{}' must be text, not {}; correct it or remove the line", key,
                           value.is_string() ? "empty" : json_kind(value)));
}

Result<double> get_number(const Json& run, const char* key) {
  const Json& value = get(run, key);
  if (value.is_number()) return value.get<double>();
  return Error(fmt::format("'{}' must be a number, not {}; correct it or remove the line", key,
                           json_kind(value)));
}

// {dataset}_{model}[_{activation}]_batch_size_{batch size}
Result<std::string> task_name(const Json& run) {
  CMBO_TRY(std::string name, get_text(run, "dataset"));
  CMBO_TRY(const std::string model, get_text(run, "model"));
  name += "_" + model;
  if (model == kModelWithActivation) {
    const bool second = !run.contains(kActivationKeys[0]) && run.contains(kActivationKeys[1]);
    CMBO_TRY(const std::string activation, get_text(run, kActivationKeys[second ? 1 : 0]));
    name += "_" + activation;
  }
  CMBO_TRY(const double batch_size, get_number(run, "hps.batch_size"));
  if (batch_size < 1 || batch_size > 0x1.0p48 || batch_size != std::floor(batch_size)) {
    return Error("'hps.batch_size' must be a whole number above 0; correct it or remove the line");
  }
  return fmt::format("{}_batch_size_{}", name, static_cast<int64_t>(batch_size));
}

Result<space::Configuration> configuration_of(const Json& run, const space::Space& space) {
  std::vector<double> values;
  for (size_t i = 0; i < kHpKeys.size(); ++i) {
    CMBO_TRY(const double number, get_number(run, kHpKeys[i]));
    CMBO_TRY(const double value,
             space.parameters()[i].parse_value(i == kMomentum ? 1.0 - number : number));
    values.push_back(value);
  }
  return space::Configuration(std::move(values));
}

// The error rates, or nothing if the paper drops the run.
Result<std::optional<std::vector<double>>> error_rates(const Json& run) {
  using Rates = std::optional<std::vector<double>>;
  CMBO_TRY(const std::string status, get_text(run, "status"));
  if (status == "diverged") return Rates();
  if (status != "done") {
    return Error(
        fmt::format("'status' must be done or diverged, not '{}'; correct it or remove "
                    "the line",
                    excerpt(status)));
  }
  const Json& list = get(run, kCurveKey);
  if (list.is_null() || (list.is_array() && list.empty())) return Rates();
  const auto checked = curve_from_json(list);
  if (!checked.ok()) return checked.error().within(kCurveKey);
  std::vector<double> rates;
  for (const Json& value : list) {
    if (value.is_null()) return Rates();
    rates.push_back(value.get<double>());
    if (rates.back() >= 0.0 && rates.back() <= 1.0) continue;
    return Error(fmt::format("'{}': {} is no error rate in [0, 1]; correct it or remove the line",
                             kCurveKey, rates.back()));
  }
  if (rates.size() < 2) return Rates();
  return Rates(std::move(rates));
}

// At which step each of `count` values was taken: global_step if it can be, else 0, 1, 2, ...
std::vector<double> steps_of(const Json& run, size_t count) {
  std::vector<double> steps;
  const Json& list = get(run, kStepsKey);
  if (list.is_array() && list.size() == count) {
    for (const Json& step : list) {
      if (!step.is_number() || (!steps.empty() && step.get<double>() <= steps.back())) break;
      steps.push_back(step.get<double>());
    }
  }
  if (steps.size() == count && std::isfinite(steps.back() - steps.front())) return steps;
  steps.resize(count);
  for (size_t i = 0; i < count; ++i) steps[i] = static_cast<double>(i);
  return steps;
}

// kPoints values at equal distances from the first step to the last.
std::vector<float> interpolate(std::span<const double> steps, std::span<const double> values) {
  std::vector<float> points;
  size_t left = 0;
  for (size_t i = 0; i < kPoints; ++i) {
    const double share = static_cast<double>(i) / static_cast<double>(kPoints - 1);
    const double step = steps.front() + share * (steps.back() - steps.front());
    while (left + 2 < steps.size() && steps[left + 1] < step) ++left;
    const double within = (step - steps[left]) / (steps[left + 1] - steps[left]);
    const double weight = std::clamp(within, 0.0, 1.0);
    points.push_back(recorded_value(values[left] * (1.0 - weight) + values[left + 1] * weight));
  }
  return points;
}

struct Runs {
  std::vector<space::Configuration> configurations;
  std::vector<std::vector<float>> curves;
  std::unordered_map<space::Configuration, size_t, space::Configuration::Hash> index;
};

}  // namespace

struct Pd1Reader::Impl {
  space::Space space;
  std::map<std::string, Runs> tasks;
  std::string last_name;

  // One line; the caller adds file and line to an error.
  Status add(const Json& run) {
    CMBO_TRY(const auto rates, error_rates(run));
    if (!rates) return {};
    CMBO_TRY(const std::string task, task_name(run));
    CMBO_TRY(space::Configuration configuration, configuration_of(run, space));
    Runs& runs = tasks[task];
    if (tasks.size() > kMaxTasks) {
      return Error(fmt::format("more than {} tasks; read fewer files at a time", kMaxTasks));
    }
    const auto [found, is_new] = runs.index.try_emplace(configuration, runs.curves.size());
    if (is_new) {
      runs.configurations.push_back(std::move(configuration));
      runs.curves.emplace_back();
    }
    runs.curves[found->second] = interpolate(steps_of(run, rates->size()), *rates);
    return {};
  }
};

Pd1Reader::Pd1Reader() : impl_(std::make_unique<Impl>()) {
  impl_->space = space::Space::from_json(parse_json(kPd1Space).value()).value();
}

Pd1Reader::~Pd1Reader() = default;

Status Pd1Reader::read(ByteSource& source, const std::string& name) {
  impl_->last_name = name;
  LineReader lines(source, name);
  for (;;) {
    CMBO_TRY(const auto line, lines.next());
    if (!line) return {};
    if (line->empty()) continue;
    RunVisitor visitor;
    const std::string place = fmt::format("{}:{}", name, lines.line_number());
    CMBO_RETURN_IF_ERROR(visit_json(*source_from_string(*line), place, visitor));
    const Status added = impl_->add(visitor.run());
    if (!added.ok()) return lines.error(added.error().message());
  }
}

Status Pd1Reader::finish(CurveSet& set) {
  if (impl_->tasks.empty()) {
    return Error(
        fmt::format("{}: holds no complete run (status done, two or more values of {}); "
                    "fetch the file again",
                    impl_->last_name, kCurveKey));
  }
  for (auto& [name, runs] : impl_->tasks) {
    TaskHeader header;
    header.name = name;
    header.metric = "valid_error_rate";
    header.goal = Goal::kMinimize;
    header.first_epoch = 0;
    header.last_epoch = static_cast<int>(kPoints) - 1;
    header.range = {0.0, 1.0};
    header.space = impl_->space;
    CMBO_TRY(Task task, Task::create(std::move(header)));
    for (size_t i = 0; i < runs.curves.size(); ++i) {
      CMBO_RETURN_IF_ERROR(task.add(std::move(runs.configurations[i]), runs.curves[i]));
    }
    CMBO_RETURN_IF_ERROR(set.add(std::move(task)));
  }
  impl_->tasks.clear();
  return {};
}

}  // namespace cmbo::curves
