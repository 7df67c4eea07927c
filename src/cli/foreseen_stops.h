// SPDX-License-Identifier: Apache-2.0
//
// Where a study's utility would end searches on known curves: each is replayed with the same policy
// and the same stopping rule as the study itself.
#pragma once

#include <span>
#include <string>

#include "base/clock.h"
#include "base/result.h"
#include "cli/utility_preview.h"
#include "curves/curve_table.h"
#include "study/deliberation.h"

namespace cmbo::cli {

// What is replayed; references outlive the call.
struct KnownCurves {
  std::string name;  // "5 tasks of the synthetic prior"
  std::span<const curves::CurveTable> tables;
};

// `epoch_cost`: of one of the study's own epochs, in the utility's unit. A full training costs the
// same in every table, however many epochs it has there.
struct StopQuestion {
  const study::StudyFile& file;
  const curves::Normalization& normalization;
  double epoch_cost = 1.0;
  const study::PolicyFactory& policies;
  const Clock& clock;
};

Result<ForeseenStops> foresee_stops(const StopQuestion& question, const KnownCurves& known);

}  // namespace cmbo::cli
