// SPDX-License-Identifier: Apache-2.0
#include "network/config.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <string_view>

#include "base/utf8.h"

namespace cmbo::network {

namespace {

constexpr std::string_view kOtherVersion =
    "the file was written by another version of cmbo; train the model again";

constexpr size_t kMaxWidth = 8192;

// A size of the network: its key in JSON, and the sizes that are not absurd.
struct SizeField {
  const char* key;
  size_t NetworkConfig::*member;
  size_t low;
  size_t high;
};
constexpr std::array<SizeField, 7> kSizes = {{
    {"dimensions", &NetworkConfig::dimensions, 1, 4096},
    {"width", &NetworkConfig::width, 1, kMaxWidth},
    {"layers", &NetworkConfig::layers, 1, 128},
    {"heads", &NetworkConfig::heads, 1, kMaxWidth},
    {"hidden_factor", &NetworkConfig::hidden_factor, 1, 16},
    {"head_width", &NetworkConfig::head_width, 1, kMaxWidth},
    {"bars", &NetworkConfig::bars, 2, 100'000},
}};

struct FlagField {
  const char* key;
  bool NetworkConfig::*member;
};
constexpr std::array<FlagField, 3> kFlags = {{
    {"pre_norm", &NetworkConfig::pre_norm},
    {"copy", &NetworkConfig::copy},
    {"hints", &NetworkConfig::hints},
}};

struct KindName {
  std::string_view name;
  Kind kind;
};
constexpr std::array<KindName, 2> kKinds = {{{"point", Kind::kPoint}, {"curve", Kind::kCurve}}};

// Takes the keys of an object one by one; each must be there and of the right type.
class ConfigReader {
 public:
  explicit ConfigReader(const Json& json) : json_(json) {}

  Result<NetworkConfig> read() {
    if (!json_.is_object()) return mistyped("the network's shape", "an object", json_);
    CMBO_RETURN_IF_ERROR(read_kind());
    for (const SizeField& field : kSizes) CMBO_RETURN_IF_ERROR(read_size(field));
    for (const FlagField& field : kFlags) CMBO_RETURN_IF_ERROR(read_flag(field));
    CMBO_RETURN_IF_ERROR(read_dropout());
    CMBO_RETURN_IF_ERROR(refuse_unknown_keys());
    if (const Status status = check(config_); !status.ok())
      return problem(status.error().message());
    return config_;
  }

 private:
  static Error problem(std::string_view what) {
    return Error(fmt::format("{}; {}", what, kOtherVersion));
  }

  static Error mistyped(std::string_view key, std::string_view wanted, const Json& got) {
    return problem(fmt::format("{}: must be {}, not {}", key, wanted, json_kind(got)));
  }

  Result<const Json*> take(const char* key) {
    const auto found = json_.find(key);
    if (found == json_.end()) return problem(fmt::format("{}: is missing", key));
    ++taken_;
    return &*found;
  }

  Status read_kind() {
    CMBO_TRY(const Json* json, take("network"));
    if (!json->is_string()) return mistyped("network", "point or curve", *json);
    const auto& name = json->get_ref<const std::string&>();
    const auto* known = std::find_if(kKinds.begin(), kKinds.end(),
                                     [&](const KindName& kind) { return kind.name == name; });
    if (known == kKinds.end()) {
      return problem(fmt::format("network: must be point or curve, not '{}'", clean_text(name)));
    }
    config_.kind = known->kind;
    return {};
  }

  Status read_size(const SizeField& field) {
    CMBO_TRY(const Json* json, take(field.key));
    // A negative or fractional number is of another type for the JSON library.
    if (!json->is_number_unsigned()) {
      return problem(fmt::format("{}: must be a whole number", field.key));
    }
    const auto value = json->get<uint64_t>();
    // Whatever lies beyond all limits stays beyond them, also where size_t is narrower.
    config_.*field.member = static_cast<size_t>(std::min<uint64_t>(value, SIZE_MAX));
    return {};
  }

  Status read_flag(const FlagField& field) {
    CMBO_TRY(const Json* json, take(field.key));
    if (!json->is_boolean()) return mistyped(field.key, "true or false", *json);
    config_.*field.member = json->get<bool>();
    return {};
  }

  Status read_dropout() {
    CMBO_TRY(const Json* json, take("dropout"));
    if (!json->is_number()) return mistyped("dropout", "a number", *json);
    const auto value = json->get<double>();
    // Before the narrowing, which is undefined beyond the range of float.
    if (!(value >= 0 && value < 1)) {
      return problem("dropout: must be at least 0 and below 1");
    }
    config_.dropout = static_cast<float>(value);
    return {};
  }

  // Names one that no field took; every key that was taken is known and stands once.
  Status refuse_unknown_keys() const {
    if (taken_ == json_.size()) return {};
    const Json known = config_to_json(config_);
    for (const auto& [key, value] : json_.items()) {
      if (known.contains(key)) continue;
      return problem(fmt::format("{}: is no property of a network", clean_text(key)));
    }
    return problem("the network's shape has a key twice");
  }

  const Json& json_;
  NetworkConfig config_;
  size_t taken_ = 0;
};

}  // namespace

Status check(const NetworkConfig& config) {
  for (const SizeField& field : kSizes) {
    const size_t value = config.*field.member;
    if (value < field.low || value > field.high) {
      return Error(fmt::format("{}: must be a number from {} to {}, not {}", field.key, field.low,
                               field.high, value));
    }
  }
  if (config.width % config.heads != 0) {
    return Error(
        fmt::format("heads: {} does not divide width: {}; choose a width that is a "
                    "multiple of heads",
                    config.heads, config.width));
  }
  if (config.hints && config.kind != Kind::kCurve) {
    return Error("hints: only the curve network takes them");
  }
  if (!(config.dropout >= 0 && config.dropout < 1)) {
    return Error(fmt::format("dropout: must be at least 0 and below 1, not {}", config.dropout));
  }
  return {};
}

Json config_to_json(const NetworkConfig& config) {
  Json json = Json::object();
  const auto* kind = std::find_if(kKinds.begin(), kKinds.end(),
                                  [&](const KindName& name) { return name.kind == config.kind; });
  json["network"] = kind->name;
  for (const SizeField& field : kSizes) json[field.key] = config.*field.member;
  for (const FlagField& field : kFlags) json[field.key] = config.*field.member;
  json["dropout"] = config.dropout;
  return json;
}

Result<NetworkConfig> config_from_json(const Json& json) {
  return ConfigReader(json).read();
}

}  // namespace cmbo::network
