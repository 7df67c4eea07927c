// SPDX-License-Identifier: Apache-2.0
//
// `cmbo utility preview`: what a utility means, before anything is spent. Pure functions.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "curves/normalization.h"
#include "decide/utility.h"
#include "study/study_file.h"

namespace cmbo::cli {

// What somebody who has `from` and has spent nothing would have to gain by spending `cost`.
struct Exchange {
  double cost = 0.0;                // in the utility's unit
  double from = 0.0;                // of the metric, in its own units
  std::optional<double> gain = {};  // of the metric, at least 0; absent: no gain is worth that
};

// Where searches on known curves would have ended by themselves.
struct ForeseenStops {
  std::string curves = {};           // which curves: "5 tasks of the synthetic prior"
  std::vector<double> costs = {};    // of each search, ascending, in the utility's unit
  std::vector<double> reached = {};  // the metric of each, in its own units
  size_t unfinished = 0;             // how many of them did not stop before they were cut off
};

struct UtilityPreview {
  std::vector<double> costs = {};        // small, middle, large
  std::vector<double> from = {};         // poor, fair, good
  std::vector<Exchange> exchanges = {};  // for each of `costs`, of each of `from`
  std::optional<ForeseenStops> stops = {};
};

Result<UtilityPreview> preview_utility(const study::StudyFile& file,
                                       const curves::Normalization& normalization);

std::string preview_to_text(const UtilityPreview& preview, const study::StudyFile& file,
                            size_t width);
Json preview_to_json(const UtilityPreview& preview, const study::StudyFile& file);

// Lines of equal utility over cost and metric.
Result<std::string> indifference_svg(const study::StudyFile& file,
                                     const curves::Normalization& normalization);

}  // namespace cmbo::cli
