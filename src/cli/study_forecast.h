// SPDX-License-Identifier: Apache-2.0
//
// The futures of a study's trials, in the user's own units.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "base/result.h"
#include "base/thread_pool.h"
#include "cli/study_view.h"
#include "network/model.h"

namespace cmbo::cli {

inline constexpr std::array<float, 5> kFanLevels = {0.05F, 0.25F, 0.5F, 0.75F, 0.95F};
inline constexpr size_t kFanMedian = 2;

// Quantiles of the steps after the last recorded one, ascending in the metric's own units.
struct TrialForecast {
  uint32_t trial = 0;
  uint32_t observed = 0;
  std::vector<std::array<double, kFanLevels.size()>> quantiles = {};  // of observed + 1, ...

  const std::array<double, kFanLevels.size()>& final() const { return quantiles.back(); }
};

// Whether a trial could go on: the others have no future.
bool has_future(const StudyView& view, uint32_t trial);

// Of `trials`, all of which have a future, given everything that was observed. An error if the
// model takes fewer dimensions than the space has.
Result<std::vector<TrialForecast>> forecast_trials(const StudyView& view,
                                                   std::span<const uint32_t> trials,
                                                   const network::Model& model, ThreadPool& pool);

Json forecast_to_json(const TrialForecast& forecast);

}  // namespace cmbo::cli
