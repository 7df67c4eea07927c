// SPDX-License-Identifier: Apache-2.0
#include "network/safetensors.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <optional>

#include "base/json.h"
#include "base/utf8.h"

namespace cmbo::network {

namespace {

constexpr const char* kMetadata = "__metadata__";
constexpr std::string_view kType = "F32";
constexpr size_t kLengthBytes = 8;
constexpr size_t kAlignment = 8;
constexpr size_t kNumberBytes = 4;
static_assert(sizeof(float) == kNumberBytes);

// Errors, each with what to do about it.
Error foreign(std::string_view what) {
  return Error(fmt::format("{}; name a model that cmbo trained", what));
}
Error damaged(std::string_view what) {
  return Error(
      fmt::format("{}; the file is damaged: copy it again or train the model again", what));
}

// Text of a stranger, short enough for one line.
std::string shown(std::string_view text) {
  constexpr size_t kLimit = 200;
  return clean_text(text.substr(0, kLimit)) + (text.size() > kLimit ? "..." : "");
}

// Little-endian on every machine; compilers make single loads and stores of these.
template <typename Integer>
Integer read_integer(std::string_view bytes) {
  Integer value = 0;
  for (size_t i = 0; i < sizeof(Integer); ++i) {
    value |= static_cast<Integer>(Integer{static_cast<uint8_t>(bytes[i])} << (8 * i));
  }
  return value;
}

template <typename Integer>
void append_integer(std::string& bytes, Integer value) {
  for (size_t i = 0; i < sizeof(Integer); ++i) {
    bytes.push_back(static_cast<char>(static_cast<uint8_t>(value >> (8 * i))));
  }
}

// The product of the shape, unless its numbers have more bytes than size_t can count.
std::optional<size_t> count_of(std::span<const size_t> shape) {
  size_t count = 1;
  for (const size_t length : shape) {
    if (count != 0 && length > SIZE_MAX / kNumberBytes / count) return std::nullopt;
    count *= length;
  }
  return count;
}

// ---- Reading -----------------------------------------------------------------------------------

Result<std::string_view> find_header(std::string_view bytes) {
  if (bytes.size() < kLengthBytes) {
    return foreign(fmt::format("only {} bytes, too short for a safetensors file", bytes.size()));
  }
  const auto length = read_integer<uint64_t>(bytes);
  if (length > kMaxHeaderBytes) {
    return foreign("not a safetensors file (its header would be larger than 100 MB)");
  }
  const std::string_view rest = bytes.substr(kLengthBytes);
  if (length > rest.size()) {
    return damaged(
        fmt::format("the header is to have {} bytes, but only {} follow", length, rest.size()));
  }
  return rest.substr(0, static_cast<size_t>(length));
}

Result<Json> parse_header(std::string_view header) {
  if (!header.starts_with('{')) {
    return foreign("not a safetensors file (its header does not begin with '{')");
  }
  if (!is_utf8(header)) return damaged("the header is not UTF-8");
  // The JSON parser would take it for the end of the text and ignore what follows.
  if (header.find('\0') != std::string_view::npos) {
    return damaged("the header has a zero byte");
  }
  auto json = parse_json(header);
  if (!json.ok()) {
    return damaged(fmt::format("header: {}", shown(json.error().message())));
  }
  return json;
}

Result<std::map<std::string, std::string>> read_metadata(const Json& json) {
  if (!json.is_object()) {
    return damaged(fmt::format("{}: must be an object, not {}", kMetadata, json_kind(json)));
  }
  std::map<std::string, std::string> metadata;
  for (const auto& [key, value] : json.items()) {
    if (!value.is_string()) {
      return damaged(
          fmt::format("{}: '{}' must be text, not {}", kMetadata, shown(key), json_kind(value)));
    }
    metadata.emplace(key, value.get<std::string>());
  }
  return metadata;
}

// Reads tensor after tensor; each one's data must begin where those of the one before end.
class TensorReader {
 public:
  explicit TensorReader(std::string_view data) : data_(data) {}

  // Every error is to be prefixed with the tensor's name.
  Result<Tensor> read(const std::string& name, const Json& entry) {
    CMBO_RETURN_IF_ERROR(check_entry(name, entry));
    Tensor tensor;
    tensor.name = name;
    CMBO_TRY(tensor.shape, read_sizes(entry, "shape"));
    CMBO_TRY(const std::vector<size_t> offsets, read_sizes(entry, "data_offsets"));
    CMBO_RETURN_IF_ERROR(check_offsets(offsets, tensor.shape));
    CMBO_TRY(tensor.values, read_values(data_.substr(end_, offsets[1] - end_)));
    end_ = offsets[1];
    return tensor;
  }

  Status finish() const {
    if (end_ == data_.size()) return {};
    return damaged(fmt::format("{} bytes follow the last tensor", data_.size() - end_));
  }

 private:
  static Status check_entry(const std::string& name, const Json& entry) {
    if (name.empty()) return damaged("has an empty name");
    if (!entry.is_object() || entry.size() != 3 || !entry.contains("dtype") ||
        !entry.contains("shape") || !entry.contains("data_offsets")) {
      return damaged("must have exactly dtype, shape and data_offsets");
    }
    const Json& type = entry["dtype"];
    if (!type.is_string()) {
      return damaged(fmt::format("dtype: must be text, not {}", json_kind(type)));
    }
    if (type.get_ref<const std::string&>() == kType) return {};
    return foreign(fmt::format("dtype: is {}, but cmbo reads {} only",
                               shown(type.get_ref<const std::string&>()), kType));
  }

  static Result<std::vector<size_t>> read_sizes(const Json& entry, const char* key) {
    const Json& list = entry[key];
    if (!list.is_array() || list.size() > kMaxRank) {
      return damaged(fmt::format("{}: must be a list of at most {} sizes", key, kMaxRank));
    }
    std::vector<size_t> sizes;
    for (const Json& item : list) {
      // A negative, fractional or too large number is of another type for the JSON library.
      if (!item.is_number_unsigned() || !std::in_range<size_t>(item.get<uint64_t>())) {
        return damaged(fmt::format("{}: must be whole numbers below 2^64", key));
      }
      sizes.push_back(item.get<size_t>());
    }
    return sizes;
  }

  Status check_offsets(std::span<const size_t> offsets, std::span<const size_t> shape) const {
    if (offsets.size() != 2 || offsets[0] > offsets[1]) {
      return damaged("data_offsets: must be a beginning and an end behind it");
    }
    if (offsets[0] != end_) {
      return damaged(fmt::format("data_offsets: begins at byte {}, but the data before end at {}",
                                 offsets[0], end_));
    }
    if (offsets[1] > data_.size()) {
      return damaged(fmt::format("data_offsets: ends at byte {}, but the file has only {}",
                                 offsets[1], data_.size()));
    }
    const std::optional<size_t> count = count_of(shape);
    if (!count || *count * kNumberBytes != offsets[1] - offsets[0]) {
      return damaged(fmt::format("shape: [{}] does not fit {} bytes of data",
                                 fmt::join(shape, ", "), offsets[1] - offsets[0]));
    }
    return {};
  }

  static Result<std::vector<float>> read_values(std::string_view bytes) {
    std::vector<float> values(bytes.size() / kNumberBytes);
    for (size_t i = 0; i < values.size(); ++i) {
      values[i] = std::bit_cast<float>(read_integer<uint32_t>(bytes.substr(i * kNumberBytes)));
      if (!std::isfinite(values[i])) {
        return damaged(fmt::format("value {} is not a finite number", i));
      }
    }
    return values;
  }

  std::string_view data_;
  size_t end_ = 0;
};

// ---- Writing -----------------------------------------------------------------------------------

void check_writable(const Tensor& tensor) {
  CHECK(!tensor.name.empty() && tensor.name != kMetadata && is_utf8(tensor.name),
        "a tensor cannot be named '" + tensor.name + "'");
  CHECK(tensor.shape.size() <= kMaxRank, "too many dimensions: " + tensor.name);
  CHECK(count_of(tensor.shape) == tensor.values.size(), "shape and values differ: " + tensor.name);
  CHECK(std::all_of(tensor.values.begin(), tensor.values.end(),
                    [](float value) { return std::isfinite(value); }),
        "values that are not finite: " + tensor.name);
}

Json metadata_to_json(const std::map<std::string, std::string>& metadata) {
  CHECK(metadata.size() <= kMaxJsonKeys, "too much metadata");
  Json json = Json::object();
  for (const auto& [key, value] : metadata) {
    CHECK(is_utf8(key) && is_utf8(value), "metadata that is not UTF-8");
    json[key] = value;
  }
  return json;
}

std::string header_of(const TensorFile& file) {
  CHECK(file.tensors.size() < kMaxJsonKeys, "too many tensors");
  Json json = Json::object();
  if (!file.metadata.empty()) json[kMetadata] = metadata_to_json(file.metadata);
  size_t end = 0;
  for (const Tensor& tensor : file.tensors) {
    check_writable(tensor);
    CHECK(!json.contains(tensor.name), "two tensors have the name " + tensor.name);
    const size_t begin = end;
    end += tensor.values.size() * kNumberBytes;
    json[tensor.name] = {{"dtype", kType}, {"shape", tensor.shape}, {"data_offsets", {begin, end}}};
  }
  std::string header = json.dump();
  header.resize((header.size() + kAlignment - 1) / kAlignment * kAlignment, ' ');
  CHECK(header.size() <= kMaxHeaderBytes, "a header of more than 100 MB");
  return header;
}

}  // namespace

std::string to_safetensors(const TensorFile& file) {
  const std::string header = header_of(file);
  size_t size = kLengthBytes + header.size();
  for (const Tensor& tensor : file.tensors) size += tensor.values.size() * kNumberBytes;
  std::string bytes;
  bytes.reserve(size);
  append_integer(bytes, uint64_t{header.size()});
  bytes += header;
  for (const Tensor& tensor : file.tensors) {
    for (const float value : tensor.values) append_integer(bytes, std::bit_cast<uint32_t>(value));
  }
  return bytes;
}

Result<TensorFile> parse_safetensors(std::string_view bytes) {
  CMBO_TRY(const std::string_view header, find_header(bytes));
  CMBO_TRY(const Json json, parse_header(header));
  TensorFile file;
  TensorReader reader(bytes.substr(kLengthBytes + header.size()));
  for (const auto& [name, entry] : json.items()) {
    if (name == kMetadata) {
      CMBO_TRY(file.metadata, read_metadata(entry));
      continue;
    }
    auto tensor = reader.read(name, entry);
    if (!tensor.ok()) return tensor.error().within(fmt::format("tensor '{}'", shown(name)));
    file.tensors.push_back(std::move(tensor).value());
  }
  CMBO_RETURN_IF_ERROR(reader.finish());
  return file;
}

}  // namespace cmbo::network
