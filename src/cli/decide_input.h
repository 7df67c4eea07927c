// SPDX-License-Identifier: Apache-2.0
//
// What `cmbo decide` reads: a search so far, and the futures that somebody else extrapolated.
// docs/formats.md describes the file.
#pragma once

#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "decide/loop.h"
#include "forecast/samples.h"

namespace cmbo::cli {

struct DecideInput {
  decide::Utility utility;
  decide::LoopOptions loop;
  std::vector<decide::Step> steps;
  forecast::Samples samples;  // of every configuration that is not finished
  size_t configurations;      // in the pool, N
};

// Strict: an unknown key, a missing future or an epoch out of order is an error that names the
// place.
Result<DecideInput> decide_input_from_json(const Json& json);

}  // namespace cmbo::cli
