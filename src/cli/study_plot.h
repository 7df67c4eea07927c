// SPDX-License-Identifier: Apache-2.0
//
// Pictures of a study, as SVG.
#pragma once

#include <span>
#include <string>

#include "base/result.h"
#include "cli/study_forecast.h"
#include "cli/study_view.h"

namespace cmbo::cli {

// All curves as thin lines, the trials `best` in colour and, where `futures` has one, with a fan of
// what is expected of it: the median, 50 %, and for the first one 90 %. An error without a step.
Result<std::string> study_curves_svg(const StudyView& view, const std::string& name,
                                     std::span<const uint32_t> best,
                                     std::span<const TrialForecast> futures);

// The best value so far and the utility, over what was spent. An error without a step.
Result<std::string> study_utility_svg(const StudyView& view, const std::string& name);

}  // namespace cmbo::cli
