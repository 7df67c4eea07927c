// SPDX-License-Identifier: Apache-2.0
#include "training/checkpoint.h"

#include <array>
#include <charconv>
#include <fmt/format.h>

#include "network/safetensors.h"

namespace cmbo::training {

namespace {

constexpr const char* kFormat = "cmbo-checkpoint-1";

// The arrays of a state under their names in the file.
template <typename State>
auto arrays(State& state) {
  return std::array{
      std::pair{"weights", &state.training.weights}, std::pair{"moment1", &state.training.moment1},
      std::pair{"moment2", &state.training.moment2}, std::pair{"average", &state.training.average},
      std::pair{"best_weights", &state.best_weights}};
}

template <typename Number>
Result<Number> number_of(const network::TensorFile& file, const std::string& key) {
  const auto found = file.metadata.find(key);
  Number number{};
  if (found != file.metadata.end()) {
    const std::string& text = found->second;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (code == std::errc() && end == text.data() + text.size()) return number;
  }
  return Error(
      fmt::format("'{}' is missing or no number; remove the checkpoint to start anew", key));
}

// The first option that differs, for the error text.
std::string difference(const Json& theirs, const Json& ours) {
  for (const auto& [key, value] : ours.items()) {
    const Json other = theirs.contains(key) ? theirs[key] : Json();
    if (other != value) return fmt::format("{} was {}, now {}", key, other.dump(), value.dump());
  }
  return "its options differ";
}

}  // namespace

std::string checkpoint_to_bytes(const RunState& state, const Json& run) {
  network::TensorFile file;
  file.metadata = {{"format", kFormat},
                   {"run", run.dump()},
                   {"step", std::to_string(state.training.step)},
                   {"elapsed", fmt::format("{}", state.elapsed)},
                   {"best_loss", fmt::format("{}", state.best_loss)}};
  for (const auto& [name, values] : arrays(state)) {
    file.tensors.push_back({name, {values->size()}, *values});
  }
  return network::to_safetensors(file);
}

Result<RunState> checkpoint_from_bytes(std::string_view bytes, const Json& run) {
  CMBO_TRY(network::TensorFile file, network::parse_safetensors(bytes));
  const auto format = file.metadata.find("format");
  if (format == file.metadata.end() || format->second != kFormat) {
    return Error("not a checkpoint of this version of cmbo; remove it to start anew");
  }
  CMBO_TRY(const Json theirs, parse_json(file.metadata["run"]));
  if (theirs != run) {
    return Error(
        fmt::format("of a run with other options ({}); repeat those, or remove the "
                    "checkpoint to start anew",
                    difference(theirs, run)));
  }
  RunState state;
  CMBO_TRY(state.training.step, number_of<size_t>(file, "step"));
  CMBO_TRY(state.elapsed, number_of<double>(file, "elapsed"));
  CMBO_TRY(state.best_loss, number_of<double>(file, "best_loss"));
  const auto targets = arrays(state);
  if (file.tensors.size() != targets.size()) {
    return Error("damaged: it does not hold the arrays of a run; remove it to start anew");
  }
  for (size_t i = 0; i < targets.size(); ++i) {
    if (file.tensors[i].name != targets[i].first) {
      return Error(fmt::format("damaged: no '{}'; remove it to start anew", targets[i].first));
    }
    *targets[i].second = std::move(file.tensors[i].values);
  }
  return state;
}

}  // namespace cmbo::training
