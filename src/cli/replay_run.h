// SPDX-License-Identifier: Apache-2.0
//
// Does the jobs of a replay side by side.
#pragma once

#include "cli/replay_plan.h"

namespace cmbo::cli {

// Adds to `log` what is not there yet. False if it was interrupted.
Result<bool> run_jobs(const ReplayPlan& plan, const ReplayOptions& options, replay::RunLog& log,
                      Context& context);

}  // namespace cmbo::cli
