// SPDX-License-Identifier: Apache-2.0
#include "digits/slice.h"

#include <charconv>
#include <cmath>
#include <fmt/format.h>

#include "digits/checkpoint.h"

namespace cmbo::digits {

namespace {

constexpr uint64_t kMaxParameterBytes = 1 << 20;
constexpr size_t kMaxSteps = 1'000'000;

// Sets `target` if the variable is set.
template <typename Number>
Status read_number(const Environment& environment, const char* name, Number& target) {
  const char* const text = environment(name);
  if (text == nullptr) return {};
  const std::string_view view(text);
  const auto [end, code] = std::from_chars(view.begin(), view.end(), target);
  if (code == std::errc() && end == view.end()) return {};
  return Error(fmt::format("{}='{}': must be a whole number", name, view));
}

Status read_parameters(const char* path, FileSystem& files, Hyperparameters& parameters) {
  CMBO_TRY(const std::string text, read_file(files, path, kMaxParameterBytes));
  const auto json = parse_json(text);
  if (!json.ok()) return json.error().within(path);
  const Status set = set_parameters(parameters, *json);
  if (!set.ok()) return set.error().within(path);
  return {};
}

Status check(const Slice& slice) {
  if (slice.start_step <= slice.target_step && slice.target_step <= slice.plan.epochs &&
      slice.plan.epochs <= kMaxSteps) {
    return {};
  }
  return Error(fmt::format("steps must be in the order start {} <= target {} <= max {} <= {}",
                           slice.start_step, slice.target_step, slice.plan.epochs, kMaxSteps));
}

std::string number(double value) {
  return std::isnan(value) ? "NaN" : fmt::format("{}", value);
}

}  // namespace

Status read_environment(const Environment& environment, FileSystem& files, Slice& slice) {
  if (const char* const path = environment("CMBO_PARAMS")) {
    CMBO_RETURN_IF_ERROR(read_parameters(path, files, slice.plan.parameters));
  }
  if (const char* const path = environment("CMBO_CHECKPOINT_DIR")) {
    slice.checkpoint_directory = path;
  }
  CMBO_RETURN_IF_ERROR(read_number(environment, "CMBO_SEED", slice.plan.seed));
  CMBO_RETURN_IF_ERROR(read_number(environment, "CMBO_MAX_STEP", slice.plan.epochs));
  slice.target_step = slice.plan.epochs;
  slice.asked_for = environment("CMBO_TARGET_STEP") != nullptr;
  CMBO_RETURN_IF_ERROR(read_number(environment, "CMBO_TARGET_STEP", slice.target_step));
  CMBO_RETURN_IF_ERROR(read_number(environment, "CMBO_START_STEP", slice.start_step));
  const char* const resident = environment("CMBO_RESIDENT");
  slice.resident = resident != nullptr && std::string_view(resident) == "1";
  return check(slice);
}

Result<size_t> parse_target(std::string_view line) {
  const auto json = parse_json(line);
  if (json.ok() && json->is_object() && json->contains("target_step") &&
      (*json)["target_step"].is_number_unsigned()) {
    return (*json)["target_step"].get<size_t>();
  }
  return Error(R"(stdin: a line must be {"target_step": 7}, for example)");
}

std::string report_line(size_t step, const Metrics& metrics) {
  std::string line = fmt::format("@cmbo {{\"step\":{},\"val_acc\":{},\"val_loss\":{}", step,
                                 number(metrics.val_acc), number(metrics.val_loss));
  if (step > 0) line += fmt::format(",\"train_loss\":{}", number(metrics.train_loss));
  return line + "}\n";
}

SliceRunner::SliceRunner(const Split& data, const Slice& slice, Json run, FileSystem& files)
    : slice_(slice),
      run_(std::move(run)),
      files_(files),
      trainer_(data, slice.plan),
      state_(trainer_.start()),
      reported_(slice.start_step) {}

Result<SliceRunner> SliceRunner::create(const Split& data, const std::string& task,
                                        const Slice& slice, FileSystem& files) {
  const Json run = {{"task", task},
                    {"parameters", to_json(slice.plan.parameters)},
                    {"epochs", slice.plan.epochs},
                    {"seed", slice.plan.seed}};
  SliceRunner runner(data, slice, run, files);
  if (slice.checkpoint_directory) {
    CMBO_RETURN_IF_ERROR(files.create_directories(*slice.checkpoint_directory));
  }
  if (slice.start_step == 0) return runner;
  if (!slice.checkpoint_directory) {
    return Error("a training that goes on needs CMBO_CHECKPOINT_DIR");
  }
  CMBO_TRY(runner.state_, load_checkpoint(files, *slice.checkpoint_directory, run));
  if (runner.state_.step() < slice.start_step) {
    return Error(fmt::format("{}: at step {}, not at {}; start at an earlier step",
                             checkpoint_path(*slice.checkpoint_directory).string(),
                             runner.state_.step(), slice.start_step));
  }
  return runner;
}

Result<bool> SliceRunner::advance(size_t target, const Report& report,
                                  const Interrupted& interrupted) {
  if (target > slice_.plan.epochs) {
    return Error(fmt::format("step {} lies beyond the horizon {}", target, slice_.plan.epochs));
  }
  if (reported_ == 0 && state_.step() == 0) report(0, trainer_.evaluate(state_));
  while (reported_ < target) {
    if (interrupted()) return false;
    if (state_.step() == reported_) {
      trainer_.train_epoch(state_);
      if (slice_.checkpoint_directory) {
        CMBO_RETURN_IF_ERROR(save_checkpoint(files_, *slice_.checkpoint_directory, state_, run_));
      }
    }
    report(reported_ + 1, state_.history[reported_]);
    ++reported_;
  }
  return true;
}

}  // namespace cmbo::digits
