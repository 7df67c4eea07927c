// SPDX-License-Identifier: Apache-2.0
//
// Makes the observations of resume_check.h with real trainings.
#pragma once

#include "base/result.h"
#include "runner/resume_check.h"
#include "runner/runner.h"
#include "runner/slice.h"

namespace cmbo::runner {

// Trains two steps of the request's configuration in one go, and again with a freeze between, and
// once more in one go if that is needed, in fresh directories `whole`, `frozen` and `again` below
// the request's; its own steps do not matter, except max_step >= 2. The runner has no slice when
// this begins, and is frozen between slices. An error if a training cannot be started; one that
// fails is kIncomplete, with its own text.
Result<ResumeVerdict> check_resumption(Runner& runner, const SliceRequest& request);

}  // namespace cmbo::runner
