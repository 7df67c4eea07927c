// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <span>

#include "base/result.h"
#include "curves/curve_table.h"
#include "forecast/samples.h"

namespace cmbo::decide {

// Futures of the asked rows of a history, which are ascending and not finished; as many samples of
// each, for exactly these. The same answer to the same question.
using Extrapolator = std::function<Result<forecast::Samples>(const curves::CurveTable& history,
                                                             std::span<const uint32_t> asked)>;

}  // namespace cmbo::decide
