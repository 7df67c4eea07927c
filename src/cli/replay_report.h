// SPDX-License-Identifier: Apache-2.0
//
// The results of a replay for people and for programs.
#pragma once

#include <span>
#include <string>

#include "base/json.h"
#include "replay/aggregation.h"
#include "replay/stop_sweep.h"

namespace cmbo::cli {

// A table for each benchmark and alpha, as in the paper: regrets times 100, mean ± standard
// deviation.
std::string replay_tables(std::span<const replay::MethodResult> results, size_t width);

// {"results": [...]}; regrets as they are, in [0,1].
Json replay_to_json(std::span<const replay::MethodResult> results);

// The same for stopping rules tried on finished runs.
std::string stops_table(std::span<const replay::SweptStop> stops, size_t width);
Json stops_to_json(std::span<const replay::SweptStop> stops);

}  // namespace cmbo::cli
