// SPDX-License-Identifier: Apache-2.0
//
// How methods behave: which configurations they trained, when, and to what value.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "replay/run_log.h"

namespace cmbo::replay {

// A picture for each of these runs on one task, with a row for each configuration in the order in
// which they were started: a bar over the steps that trained it, as long as its epochs, coloured by
// their values. The colours mean the same in all of the pictures.
std::vector<std::string> trained_svgs(std::span<const RunRecord* const> runs);

}  // namespace cmbo::replay
