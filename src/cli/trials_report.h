// SPDX-License-Identifier: Apache-2.0
//
// `cmbo trials`, `cmbo show`, `cmbo best` and `cmbo why` as text.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "cli/study_forecast.h"
#include "cli/study_view.h"
#include "study/records.h"

namespace cmbo::cli {

std::string trials_to_text(const StudyView& view, std::span<const TrialView> trials, size_t width);

// A trial's whole life; `future` is absent where it has none.
std::string trial_to_text(const StudyView& view, uint32_t trial,
                          const std::optional<TrialForecast>& future, size_t width);
Json trial_details_to_json(const StudyView& view, uint32_t trial,
                           const std::optional<TrialForecast>& future);

// The reasons of a trial's slices, or, without a trial, of the last decision with what else was
// considered.
std::string decisions_to_text(const StudyView& view,
                              std::span<const study::DecisionRecord> decisions, size_t width);
Json decisions_to_json(std::span<const study::DecisionRecord> decisions);

}  // namespace cmbo::cli
