// SPDX-License-Identifier: Apache-2.0
#include "study/study_file.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <utility>

#include "base/json_view.h"
#include "space/yaml.h"

namespace cmbo::study {

namespace {

constexpr uint32_t kMostWorkers = 1024;
constexpr uint32_t kLargestPool = 100'000;
constexpr double kLargestWhole = 9007199254740991.0;  // 2^53 - 1: exact in a double

// Something that another parser says about the value at `view`.
template <typename T>
Result<T> at(const JsonView& view, Result<T> result) {
  if (result.ok()) return result;
  return view.error(result.error().message());
}

Result<uint64_t> read_whole(const JsonView& view, double low) {
  CMBO_TRY(const double number, view.number(low, kLargestWhole));
  if (number != std::floor(number)) return view.error("must be a whole number");
  return static_cast<uint64_t>(number);
}

Result<double> read_duration(const JsonView& view) {
  if (view.json().is_number()) return view.error("lacks a unit; write it like 90 min or 2 h");
  CMBO_TRY(const std::string text, view.text());
  return at(view, parse_duration(text));
}

class StudyReader {
 public:
  explicit StudyReader(const JsonView& root) : root_(root) {}

  Result<StudyFile> read() {
    CMBO_RETURN_IF_ERROR(root_.check_keys({"command", "metric", "fidelity", "parameters"},
                                          {"utility", "limits", "checkpoints", "seed", "method",
                                           "model", "pool", "refine", "mode", "gpus"}));
    CMBO_RETURN_IF_ERROR(read_metric(root_.key("metric")));
    CMBO_RETURN_IF_ERROR(read_fidelity(root_.key("fidelity")));
    CMBO_RETURN_IF_ERROR(read_space(root_.key("parameters")));
    CMBO_RETURN_IF_ERROR(read_command(root_.key("command")));
    if (root_.has("utility")) {
      const JsonView view = root_.key("utility");
      CMBO_TRY(file_.utility, utility_spec_from_json(view, file_.metric));
    }
    if (root_.has("limits")) CMBO_RETURN_IF_ERROR(read_limits(root_.key("limits")));
    if (root_.has("checkpoints")) CMBO_RETURN_IF_ERROR(read_checkpoints(root_.key("checkpoints")));
    CMBO_RETURN_IF_ERROR(read_rest());
    return std::move(file_);
  }

 private:
  Status read_metric(const JsonView& view) {
    CMBO_RETURN_IF_ERROR(view.check_keys({"name"}, {"goal", "range"}));
    CMBO_TRY(file_.metric.name, view.key("name").text());
    if (file_.metric.name.empty()) return view.key("name").error("must not be empty");
    if (view.has("goal")) {
      CMBO_TRY(const std::string name, view.key("goal").text());
      const auto goal = curves::goal_from_name(name);
      if (!goal) return view.key("goal").error("must be maximize or minimize");
      file_.metric.goal = *goal;
    }
    return view.has("range") ? read_range(view.key("range")) : Status();
  }

  Status read_range(const JsonView& view) {
    CMBO_TRY(const size_t length, view.length());
    if (length != 2) return view.error("must be like [0, 1], with null for an open end");
    for (const auto& [i, end] :
         {std::pair{size_t{0}, &file_.metric.range.low}, {size_t{1}, &file_.metric.range.high}}) {
      if (view[i].json().is_null()) continue;
      CMBO_TRY(*end, view[i].number());
    }
    const curves::Range& range = file_.metric.range;
    if (range.low && range.high && !(*range.low < *range.high)) {
      return view.error("the low end must be below the high end; swap them");
    }
    return {};
  }

  Status read_fidelity(const JsonView& view) {
    CMBO_RETURN_IF_ERROR(view.check_keys({"max"}, {"name"}));
    CMBO_TRY(file_.fidelity.max, view.key("max").whole(1, uint32_t{curves::kMaxEpochs}));
    if (!view.has("name")) return {};
    CMBO_TRY(file_.fidelity.name, view.key("name").text());
    return {};
  }

  Status read_space(const JsonView& view) {
    auto space = space::Space::from_json(view.json());
    if (!space.ok()) return view.error(space.error().message());
    if (space->size() == 0) return view.error("is empty; name a parameter to tune");
    file_.space = std::move(space).value();
    return {};
  }

  Status read_command(const JsonView& view) {
    file_.shell = !view.json().is_array();
    if (file_.shell) {
      CMBO_TRY(std::string text, view.text());
      file_.command = {std::move(text)};
    } else {
      CMBO_TRY(const size_t count, view.length());
      for (size_t i = 0; i < count; ++i) {
        CMBO_TRY(std::string word, view[i].text());
        file_.command.push_back(std::move(word));
      }
    }
    if (file_.command.empty() || file_.command[0].empty()) {
      return view.error("is empty; give the command that trains");
    }
    for (const std::string& word : file_.command) {
      CMBO_RETURN_IF_ERROR(check_placeholders(view, word));
    }
    return {};
  }

  // Doubled braces are braces.
  Status check_placeholders(const JsonView& view, const std::string& text) const {
    for (size_t i = 0; i < text.size(); ++i) {
      if (text[i] != '{' && text[i] != '}') continue;
      if (i + 1 < text.size() && text[i + 1] == text[i]) {
        ++i;
        continue;
      }
      const size_t end = text[i] == '{' ? text.find('}', i) : std::string::npos;
      if (end == std::string::npos) {
        return view.error(fmt::format("a single '{}'; double it if you mean the brace", text[i]));
      }
      const std::string name = text.substr(i + 1, end - i - 1);
      const auto& protocol = protocol_placeholders();
      if (!file_.space.find(name) &&
          std::find(protocol.begin(), protocol.end(), name) == protocol.end()) {
        return view.error(fmt::format(
            "{{{}}} is neither a parameter nor one of {}; declare it, or double the braces", name,
            fmt::join(protocol, ", ")));
      }
      i = end;
    }
    return {};
  }

  Status read_limits(const JsonView& view) {
    CMBO_RETURN_IF_ERROR(
        view.check_keys({}, {"wall", "cost", "epochs", "disk", "workers", "trial_timeout"}));
    Limits& limits = file_.limits;
    if (view.has("wall")) {
      CMBO_TRY(limits.wall, read_duration(view.key("wall")));
    }
    if (view.has("trial_timeout")) {
      CMBO_TRY(limits.trial_timeout, read_duration(view.key("trial_timeout")));
    }
    if (view.has("epochs")) {
      CMBO_TRY(limits.epochs, read_whole(view.key("epochs"), 1));
    }
    if (view.has("workers")) {
      CMBO_TRY(limits.workers, view.key("workers").whole(1, kMostWorkers));
    }
    if (view.has("disk")) {
      const JsonView disk = view.key("disk");
      CMBO_TRY(const std::string text, disk.text());
      CMBO_TRY(limits.disk, at(disk, parse_bytes(text)));
    }
    if (view.has("cost")) {
      CMBO_TRY(limits.cost, read_cost(view.key("cost")));
    }
    return {};
  }

  // In the unit of the utility, which is known by now.
  Result<double> read_cost(const JsonView& view) const {
    const UtilitySpec& utility = file_.utility;
    if (view.json().is_number()) {
      if (utility.unit == CostUnit::kSeconds) {
        return view.error("lacks a unit; write it like 90 min or 2 h");
      }
      return view.positive();
    }
    CMBO_TRY(const std::string text, view.text());
    if (utility.unit == CostUnit::kSeconds) return at(view, parse_duration(text));
    CMBO_TRY(const Amount amount, at(view, parse_amount(text)));
    const bool same = amount.unit == utility.unit_word ||
                      (utility.unit == CostUnit::kEpochs && amount.unit == "epochs");
    if (!same || !(amount.number > 0.0)) {
      return view.error(
          fmt::format("must be an amount of {}, the utility's unit", utility.unit_word));
    }
    return amount.number;
  }

  Status read_checkpoints(const JsonView& view) {
    CMBO_RETURN_IF_ERROR(view.check_keys({}, {"keep_best", "evict"}));
    if (view.has("keep_best")) {
      CMBO_TRY(file_.checkpoints.keep_best, view.key("keep_best").whole(1, kLargestPool));
    }
    if (view.has("evict")) {
      CMBO_TRY(file_.checkpoints.evict, view.key("evict").flag());
    }
    return {};
  }

  Status read_rest() {
    if (root_.has("seed")) {
      CMBO_TRY(file_.seed, read_whole(root_.key("seed"), 0));
    }
    if (root_.has("method")) {
      CMBO_TRY(file_.method, root_.key("method").text());
    }
    if (root_.has("model")) {
      CMBO_TRY(file_.model, root_.key("model").text());
    }
    if (root_.has("pool")) {
      CMBO_TRY(file_.pool, root_.key("pool").whole(1, kLargestPool));
    }
    if (root_.has("refine")) {
      CMBO_TRY(file_.refine, root_.key("refine").flag());
    }
    if (root_.has("mode")) {
      CMBO_TRY(const std::string name, root_.key("mode").text());
      if (name != "slice" && name != "resident") {
        return root_.key("mode").error("must be slice or resident");
      }
      file_.mode = name == "slice" ? Mode::kSlice : Mode::kResident;
    }
    return root_.has("gpus") ? read_gpus(root_.key("gpus")) : Status();
  }

  Status read_gpus(const JsonView& view) {
    CMBO_TRY(const size_t count, view.length());
    for (size_t i = 0; i < count; ++i) {
      const Json& gpu = view[i].json();
      if (!gpu.is_number_integer() && !gpu.is_string()) {
        return view[i].error("must be the number or the name of a GPU");
      }
      file_.gpus.push_back(gpu.is_string() ? gpu.get<std::string>() : gpu.dump());
    }
    return {};
  }

  const JsonView& root_;
  StudyFile file_;
};

}  // namespace

const std::vector<std::string_view>& protocol_placeholders() {
  static const std::vector<std::string_view> names = {"trial",      "params",      "checkpoint_dir",
                                                      "start_step", "target_step", "max_step",
                                                      "seed",       "report"};
  return names;
}

Result<StudyFile> study_file_from_json(const Json& json) {
  const JsonView root(json);
  return StudyReader(root).read();
}

Result<StudyFile> study_file_from_yaml(std::string_view text) {
  CMBO_TRY(const Json json, space::yaml_to_json(text));
  return study_file_from_json(json);
}

Status check_continues(const StudyFile& before, const StudyFile& after) {
  const auto changed = [](std::string_view key) {
    return Error(
        fmt::format("{}: differs from what the study was begun with; change it back, or begin a "
                    "new study in another directory",
                    key));
  };
  if (before.metric.name != after.metric.name) return changed("metric.name");
  if (before.metric.goal != after.metric.goal) return changed("metric.goal");
  if (before.fidelity.max != after.fidelity.max) return changed("fidelity.max");
  if (before.space.to_json() != after.space.to_json()) return changed("parameters");
  if (before.seed != after.seed) return changed("seed");
  if (after.pool < before.pool) {
    return Error(
        fmt::format("pool: was {} and cannot become smaller; change it back", before.pool));
  }
  return {};
}

}  // namespace cmbo::study
