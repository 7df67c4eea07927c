// SPDX-License-Identifier: Apache-2.0
//
// `cmbo status`: where a study stands, on one screen.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/study_view.h"
#include "study/records.h"

namespace cmbo::cli {

// Apart from the facts.
struct StatusInput {
  std::string name;                                    // of the study file
  std::optional<std::string> driver = {};              // who runs it; absent = nobody
  study::Wish wish = study::Wish::kRun;                // not yet heard, or heard
  size_t queued = 0;                                   // configurations that nobody took yet
  std::optional<study::DecisionRecord> decision = {};  // the last one
  double now = 0.0;                                    // wall clock
};

Result<std::string> status_to_text(const StudyView& view, const StatusInput& input, size_t width);
Result<Json> status_to_json(const StudyView& view, const StatusInput& input);

}  // namespace cmbo::cli
