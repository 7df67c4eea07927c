// SPDX-License-Identifier: Apache-2.0
//
// JSON as we accept it from strangers: UTF-8, no duplicate keys, no trailing text, bounded depth.
// Objects keep the order of the file, because the order of hyperparameters is theirs to choose.
#pragma once

#include <nlohmann/json.hpp>
#include <string_view>

#include "base/result.h"

namespace cmbo {

using Json = nlohmann::ordered_json;

// Deeper nesting and larger objects are refused; nothing that we read comes near them.
inline constexpr size_t kMaxJsonDepth = 64;
inline constexpr size_t kMaxJsonKeys = 10'000;

// The whole of `text` as one JSON value. The error says at which byte and why.
Result<Json> parse_json(std::string_view text);

// For error texts: what kind of thing `value` is ("a number", "text", ...).
std::string_view json_kind(const Json& value);

}  // namespace cmbo
