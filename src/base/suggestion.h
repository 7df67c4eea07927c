// SPDX-License-Identifier: Apache-2.0
//
// What somebody may have meant who wrote a word that is not known.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cmbo {

// " (did you mean 'x'?)", x being the first of the nearest words, if `wrong` is so near to it that
// it may be a slip; else nothing.
std::string suggestion(const std::vector<std::string_view>& words, std::string_view wrong);

}  // namespace cmbo
