// SPDX-License-Identifier: Apache-2.0
//
// YAML, read once and turned into JSON, so that every file format of ours has a single reader.
#pragma once

#include <string_view>

#include "base/json.h"
#include "base/result.h"

namespace cmbo::space {

// A study file is a page or two of text; more than this is not one.
inline constexpr size_t kMaxYamlBytes = 1 << 20;

// The one document in `text`, which may be JSON too. Plain scalars become null, true/false, numbers
// or text by the rules of YAML 1.2 (so `no` is text and 1e-5 a number); quoted ones stay text.
// Refused: duplicate keys, keys that are not scalars, nesting deeper than kMaxJsonDepth, aliases
// that blow up. An error names the line where there is one.
Result<Json> yaml_to_json(std::string_view text);

}  // namespace cmbo::space
