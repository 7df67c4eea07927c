// SPDX-License-Identifier: Apache-2.0
//
// Numbers and texts as the readers meet them in files.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"

namespace cmbo::curves {

// A file of more tasks is refused: it is not one of our formats, or the task is in the wrong place.
inline constexpr size_t kMaxTasks = 10'000;

// A curve from a JSON list of numbers; null = diverged. Refused: text, an empty list, more than
// kMaxEpochs + 1 values. An error names the element.
Result<std::vector<float>> curve_from_json(const Json& json);

// The number that `text` spells as a whole in JSON's or C's decimal notation; nothing for "",
// "nan", "inf", " 1" or 1e999.
std::optional<double> number_from_text(std::string_view text);

// At most `limit` bytes of `text` for an error message, cut between characters, "..." if cut.
std::string excerpt(std::string_view text, size_t limit = 60);

}  // namespace cmbo::curves
