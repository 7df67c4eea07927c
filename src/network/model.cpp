// SPDX-License-Identifier: Apache-2.0
#include "network/model.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <zlib.h>

#include "network/safetensors.h"

namespace cmbo::network {

namespace {

constexpr const char* kFormat = "cmbo-model-3";
constexpr const char* kBorders = "bars.borders";
constexpr const char* kCopula = "copula";                     // noise, length
constexpr const char* kRecordedX = "records.configurations";  // [N][d]
constexpr const char* kRecordedInitial = "records.initial";   // [K]
constexpr const char* kRecordedLengths = "records.lengths";   // [K][N]
constexpr const char* kRecordedY = "records.curves";          // [K][N][T]
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

// Takes a tensor that is not of the network out of the file.
Result<Tensor> take_tensor(TensorFile& file, const char* name) {
  const auto found = std::find_if(file.tensors.begin(), file.tensors.end(),
                                  [&](const Tensor& t) { return t.name == name; });
  if (found == file.tensors.end()) {
    return Error(fmt::format("the tensor '{}' is missing; {}", name, kRemedy));
  }
  Tensor tensor = std::move(*found);
  file.tensors.erase(found);
  return tensor;
}

Result<Bars> take_bars(TensorFile& file, size_t bars) {
  CMBO_TRY(Tensor tensor, take_tensor(file, kBorders));
  std::vector<float>& borders = tensor.values;
  const bool ascending = std::is_sorted(borders.begin(), borders.end(), std::less_equal<>());
  if (borders.size() != bars + 1 || !ascending || borders.front() != 0.0F ||
      borders.back() != 1.0F) {
    return Error(fmt::format("the tensor '{}' must rise from 0 to 1 in {} steps; {}", kBorders,
                             bars, kRemedy));
  }
  return Bars(std::move(borders));
}

Result<Copula> take_copula(TensorFile& file) {
  CMBO_TRY(const Tensor tensor, take_tensor(file, kCopula));
  const std::vector<float>& values = tensor.values;
  if (values.size() != 2 || !(values[0] >= 0 && values[0] < 1) || !(values[1] > 0)) {
    return Error(fmt::format("the tensor '{}' must hold a noise in [0,1) and a positive length; {}",
                             kCopula, kRemedy));
  }
  return Copula{.noise = static_cast<double>(values[0]), .length = static_cast<double>(values[1])};
}

bool within_unit(std::span<const float> values) {
  return std::all_of(values.begin(), values.end(), [](float v) { return v >= 0 && v <= 1; });
}

// Tables of K tasks over N configurations of d numbers and T epochs.
Result<curves::Records> take_records(TensorFile& file, size_t dimensions) {
  CMBO_TRY(const Tensor x, take_tensor(file, kRecordedX));
  CMBO_TRY(const Tensor initial, take_tensor(file, kRecordedInitial));
  CMBO_TRY(const Tensor lengths, take_tensor(file, kRecordedLengths));
  CMBO_TRY(const Tensor y, take_tensor(file, kRecordedY));
  const Error unfit(fmt::format("the tensors 'records.*' do not fit each other; {}", kRemedy));
  if (y.shape.size() != 3 || x.shape.size() != 2) return unfit;
  const size_t K = y.shape[0], N = y.shape[1], T = y.shape[2], d = x.shape[1];
  if (K == 0 || N == 0 || T == 0 || d == 0 || d > dimensions || x.shape[0] != N) return unfit;
  if (initial.shape != std::vector<size_t>{K} || lengths.shape != std::vector<size_t>{K, N}) {
    return unfit;
  }
  if (!within_unit(x.values) || !within_unit(initial.values) || !within_unit(y.values)) {
    return Error(fmt::format("a value of the tensors 'records.*' is not in [0,1]; {}", kRemedy));
  }
  std::vector<curves::CurveTable> tables(K);
  for (size_t k = 0; k < K; ++k) {
    curves::CurveTable& table = tables[k];
    table.dimensions = d;
    table.horizon = T;
    table.initial = initial.values[k];
    table.x = x.values;
    table.y.assign(y.values.begin() + static_cast<ptrdiff_t>(k * N * T),
                   y.values.begin() + static_cast<ptrdiff_t>((k + 1) * N * T));
    for (const float length : std::span(lengths.values).subspan(k * N, N)) {
      if (!(length >= 0 && length <= static_cast<float>(T) && std::floor(length) == length)) {
        return unfit;
      }
      table.lengths.push_back(static_cast<uint32_t>(length));
    }
  }
  return curves::Records(std::move(tables));
}

void add_records(const curves::Records& records, TensorFile& file) {
  const std::vector<curves::CurveTable>& tables = records.tables();
  const size_t K = tables.size(), N = tables.front().size(), T = tables.front().horizon;
  Tensor initial{kRecordedInitial, {K}, {}}, lengths{kRecordedLengths, {K, N}, {}};
  Tensor y{kRecordedY, {K, N, T}, {}};
  for (const curves::CurveTable& table : tables) {
    initial.values.push_back(table.initial);
    for (const uint32_t length : table.lengths)
      lengths.values.push_back(static_cast<float>(length));
    y.values.insert(y.values.end(), table.y.begin(), table.y.end());
  }
  file.tensors.push_back({kRecordedX, {N, tables.front().dimensions}, tables.front().x});
  for (Tensor* const tensor : {&initial, &lengths, &y}) file.tensors.push_back(std::move(*tensor));
}

// Of all values in their order; a flipped bit in a weight is found by nothing else.
std::string checksum(const std::vector<Tensor>& tensors) {
  uLong sum = crc32(0, nullptr, 0);
  for (const Tensor& tensor : tensors) {
    const auto* const bytes = reinterpret_cast<const Bytef*>(tensor.values.data());
    sum = crc32_z(sum, bytes, tensor.values.size() * sizeof(float));
  }
  return fmt::format("{:08x}", sum);
}

Status check_checksum(const TensorFile& file) {
  CMBO_TRY(const std::string stated, metadata_of(file, "crc32"));
  if (stated == checksum(file.tensors)) return {};
  return Error("the weights do not fit their checksum: the file is damaged; copy it again");
}

}  // namespace

Model::Model(std::unique_ptr<const Network> network, Bars bars, std::vector<float> weights,
             Json card, Copula copula, curves::Records records)
    : network_(std::move(network)),
      bars_(std::move(bars)),
      weights_(std::move(weights)),
      card_(std::move(card)),
      copula_(copula),
      records_(std::move(records)) {
  CHECK(weights_.size() == network_->table().size(), "weights of another architecture");
  CHECK(bars_.count() == network_->config().bars, "bars of another architecture");
  CHECK(network_->config().hints == !records_.tables().empty(), "hints come from records");
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
  file.tensors.push_back(
      {kCopula,
       {2},
       {static_cast<float>(model.copula().noise), static_cast<float>(model.copula().length)}});
  if (!model.records().tables().empty()) add_records(model.records(), file);
  file.metadata["crc32"] = checksum(file.tensors);
  return to_safetensors(file);
}

Result<Model> model_from_bytes(std::string_view bytes) {
  CMBO_TRY(TensorFile file, parse_safetensors(bytes));
  CMBO_TRY(const NetworkConfig config, config_of(file));
  CMBO_RETURN_IF_ERROR(check_checksum(file));
  CMBO_TRY(Bars bars, take_bars(file, config.bars));
  CMBO_TRY(const Copula copula, take_copula(file));
  curves::Records records;
  if (config.hints) {
    CMBO_TRY(records, take_records(file, config.dimensions));
  }
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
  return Model(std::move(network), std::move(bars), std::move(weights), std::move(card_json),
               copula, std::move(records));
}

}  // namespace cmbo::network
