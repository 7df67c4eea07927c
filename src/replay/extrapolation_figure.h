// SPDX-License-Identifier: Apache-2.0
//
// How a model's forecasts grow with the history of a run, beside what was recorded.
#pragma once

#include <string>

#include "base/thread_pool.h"
#include "curves/curve_table.h"
#include "network/model.h"
#include "replay/run_log.h"

namespace cmbo::replay {

// The configurations that the run trained most, a row of panels for each; in a row the forecast of
// its whole curve after 0, 10, 50 and all steps of the run. `table` holds the whole curves of the
// run's task, in normalized units.
std::string extrapolation_svg(const RunRecord& run, const curves::CurveTable& table,
                              const network::Model& model, ThreadPool& pool);

}  // namespace cmbo::replay
