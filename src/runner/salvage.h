// SPDX-License-Identifier: Apache-2.0
//
// What a training said while nobody listened: reports that were printed, or appended to
// $CMBO_REPORT, after we died and before the training did.
#pragma once

#include <cstdint>
#include <vector>

#include "base/file_system.h"
#include "runner/report_parser.h"
#include "runner/slice.h"

namespace cmbo::runner {

struct LostSlice {
  uint64_t slice = 0;
  uint64_t trial = 0;
  Path directory;  // of the trial
  uint64_t start_step = 0;
  uint64_t target_step = 1;
};

// The reports of a slice that was started and whose end nobody saw, by what it left on disk; empty
// if there are none or nothing can be read. Call it when its processes are gone (end_leftovers()),
// and before the trial's next slice.
std::vector<Report> salvage_reports(const LostSlice& slice, const ReportRules& rules);

}  // namespace cmbo::runner
