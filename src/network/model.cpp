// SPDX-License-Identifier: Apache-2.0
#include "network/model.h"

#include <algorithm>
#include <fmt/format.h>

#include "network/safetensors.h"

namespace cmbo::network {

namespace {

constexpr const char* kFormat = "cmbo-model-1";
constexpr const char* kBorders = "bars.borders";
constexpr std::string_view kRemedy = "train the model again with this version of cmbo";

std::string hash_text(const ParameterTable& table) {
  return fmt::format("{:016x}", table.hash());
}

Result<std::string> metadata_of(const TensorFile& file, const std::string& key) {
  const auto found = file.metadata.find(key);
  if (found == file.metadata.end()) {
    return Error(fmt::format("the metadata have no '{}'; this is not a model of cmbo", key));
  }
  return found->second;
}

Result<NetworkConfig> config_of(const TensorFile& file) {
  CMBO_TRY(const std::string format, metadata_of(file, "format"));
  if (format != kFormat) {
    return Error(fmt::format("a file of format '{}', not '{}'; {}", format, kFormat, kRemedy));
  }
  CMBO_TRY(const std::string text, metadata_of(file, "config"));
  CMBO_TRY(const Json json, parse_json(text));
  CMBO_TRY(const NetworkConfig config, config_from_json(json));
  CMBO_RETURN_IF_ERROR(check(config));
  return config;
}

// Takes the borders out of the file's tensors.
Result<std::vector<float>> take_borders(TensorFile& file, size_t bars) {
  const auto found = std::find_if(file.tensors.begin(), file.tensors.end(),
                                  [](const Tensor& t) { return t.name == kBorders; });
  if (found == file.tensors.end()) {
    return Error(fmt::format("the tensor '{}' is missing; {}", kBorders, kRemedy));
  }
  std::vector<float> borders = std::move(found->values);
  file.tensors.erase(found);
  const bool ascending = std::is_sorted(borders.begin(), borders.end(), std::less_equal<>());
  if (borders.size() != bars + 1 || !ascending || borders.front() != 0.0F ||
      borders.back() != 1.0F) {
    return Error(fmt::format("the tensor '{}' must rise from 0 to 1 in {} steps; {}", kBorders,
                             bars, kRemedy));
  }
  return borders;
}

}  // namespace

Model::Model(std::unique_ptr<const Network> network, Bars bars, std::vector<float> weights,
             Json card)
    : network_(std::move(network)),
      bars_(std::move(bars)),
      weights_(std::move(weights)),
      card_(std::move(card)) {
  CHECK(weights_.size() == network_->table().size(), "weights of another architecture");
  CHECK(bars_.count() == network_->config().bars, "bars of another architecture");
}

std::string model_to_bytes(const Model& model) {
  const Network& network = model.network();
  TensorFile file;
  file.metadata = {{"format", kFormat},
                   {"config", config_to_json(network.config()).dump()},
                   {"architecture_hash", hash_text(network.table())},
                   {"card", model.card().dump()}};
  file.tensors = pack(network.table(), model.weights());
  const std::span<const float> borders = model.bars().borders();
  file.tensors.push_back({kBorders, {borders.size()}, {borders.begin(), borders.end()}});
  return to_safetensors(file);
}

Result<Model> model_from_bytes(std::string_view bytes) {
  CMBO_TRY(TensorFile file, parse_safetensors(bytes));
  CMBO_TRY(const NetworkConfig config, config_of(file));
  CMBO_TRY(std::vector<float> borders, take_borders(file, config.bars));
  std::unique_ptr<Network> network = make_network(config);
  CMBO_TRY(const std::string hash, metadata_of(file, "architecture_hash"));
  if (hash != hash_text(network->table())) {
    return Error(fmt::format("its architecture is {}, this version's is {}; {}", hash,
                             hash_text(network->table()), kRemedy));
  }
  CMBO_RETURN_IF_ERROR(check_tensors(network->table(), file.tensors));
  std::vector<float> weights(network->table().size());
  CMBO_RETURN_IF_ERROR(unpack(network->table(), file.tensors, weights));
  CMBO_TRY(const std::string card, metadata_of(file, "card"));
  CMBO_TRY(Json card_json, parse_json(card));
  return Model(std::move(network), Bars(std::move(borders)), std::move(weights),
               std::move(card_json));
}

}  // namespace cmbo::network
