// SPDX-License-Identifier: Apache-2.0
//
// How the facts of a study read to a person, besides costs and parameters (tune_view.h).
#pragma once

#include <string>
#include <string_view>

#include "base/json.h"
#include "study/study_file.h"

namespace cmbo::cli {

// A value of the metric; "diverged" if it is not finite.
std::string value_text(double value);
// null if it is not finite.
Json value_to_json(double value);
// "cost 300 epochs, wall 8:00:00"; empty without limits.
std::string limits_text(const study::StudyFile& file);
// "2 epochs", "1 epoch", by the study's own word for a step.
std::string steps_text(const study::StudyFile& file, uint64_t steps);
// A line of a sheet of facts: a name in a column of its own, then the text.
std::string fact_line(std::string_view name, std::string_view text);

}  // namespace cmbo::cli
