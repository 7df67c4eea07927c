// SPDX-License-Identifier: Apache-2.0
//
// A study for other programs; pure functions.
#pragma once

#include <span>
#include <string>

#include "base/result.h"
#include "cli/study_view.h"
#include "curves/task.h"
#include "study/records.h"

namespace cmbo::cli {

// All facts: the study, its trained trials with curves and slices, and why.
Json study_to_json(const StudyView& view, const std::string& name,
                   std::span<const study::DecisionRecord> decisions);

// Our own curve format: what `cmbo train --data` and `cmbo forecast` read. An error without a step.
Result<curves::Task> study_to_task(const StudyView& view, const std::string& name);

}  // namespace cmbo::cli
