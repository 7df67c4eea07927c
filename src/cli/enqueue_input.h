// SPDX-License-Identifier: Apache-2.0
//
// Configurations on the command line of `cmbo enqueue`.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "space/space.h"

namespace cmbo::cli {

// One configuration as key=value words, or one or several as JSON objects, a word each.
// A parameter that is not given has its default. Each comes back complete and as trials spell it.
// An error names the word or the key.
Result<std::vector<Json>> parse_configurations(std::span<const std::string> words,
                                               const space::Space& space);

}  // namespace cmbo::cli
