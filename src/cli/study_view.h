// SPDX-License-Identifier: Apache-2.0
//
// What the commands that look at a study compute from its facts; pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "study/facts.h"
#include "study/study_file.h"

namespace cmbo::cli {

// A study that somebody looks at; outlives the view.
struct StudyView {
  const study::StudyFile& file;
  const study::Facts& facts;
};

// A trial with what became of it.
struct TrialView {
  uint32_t number = 0;
  uint32_t steps = 0;               // recorded
  std::optional<double> last = {};  // NaN = diverged; absent without a step
  std::optional<double> best = {};  // finite
  uint32_t best_step = 0;
  double seconds = 0.0;  // of training, start-ups included
  double cost = 0.0;     // in the utility's unit
};
TrialView trial_view(const StudyView& view, uint32_t trial);

// Those that were or are being trained, or are to be (enqueued, default), the best first; then,
// with `all`, the untrained rest of the pool.
std::vector<TrialView> ranked_trials(const StudyView& view, bool all);

// U of what has been spent and reached; 0 before the first step.
Result<double> utility_now(const StudyView& view);

// "1 running, 14 frozen, 982 new": every state that has any.
std::string census_text(const study::Facts& facts);
Json census_to_json(const study::Facts& facts);

// Keys: trial, state, origin, parameters, steps, best, best_step, last, seconds, cost, note,
// checkpoint_bytes.
Json trial_to_json(const StudyView& view, const TrialView& trial);
// The best trial with value and step, or null.
Json best_to_json(const StudyView& view);

}  // namespace cmbo::cli
