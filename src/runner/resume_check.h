// SPDX-License-Identifier: Apache-2.0
//
// Does a training go on after a freeze as if there had been none? Judged from what it reports when
// one configuration is trained two steps in one go, and one step, a freeze, and the second step.
// Where these differ, a second run in one go tells what is noise.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "runner/slice.h"

namespace cmbo::runner {

// A report of a slice, whether it counted or was refused.
struct ObservedReport {
  Report report;
  double seconds = 0.0;  // since the start of the slice
};

// One slice; its reports in the order in which they came.
struct ObservedSlice {
  std::vector<ObservedReport> reports;
};

struct ResumeObservations {
  ObservedSlice whole;                       // steps 1 and 2 in one go
  ObservedSlice first, second;               // step 1; then, thawed, step 2
  std::optional<ObservedSlice> whole_again;  // the same as `whole` once more
};

enum class ResumeFinding {
  kResumes,
  kNeedsYardstick,  // ask again with whole_again
  kIncomplete,      // a step was not reported
  kUnclear,         // the noise is as large as what there is to see
  kDependsOnSlice,  // step 1 comes out differently with target 1 and target 2
  kRestarts,        // from zero
  kRepeatsStep,     // reports or trains a step that was done before the freeze
  kTrainsAgain,     // the right values, but in the time of all steps from zero
  kLostState,       // step 2 falls behind: probably the optimizer was not restored
  kOtherData,       // step 2 goes too far: probably another split of the data
};

struct ResumeVerdict {
  ResumeFinding finding = ResumeFinding::kResumes;
  std::string explanation;  // what was seen, with the numbers
  std::string remedy;       // what to change in the script; empty if nothing

  bool resumes() const { return finding == ResumeFinding::kResumes; }
};

// A pure function of what was observed.
ResumeVerdict judge_resumption(const ResumeObservations& observations);

// Adds what the event says of the slice's steps.
void observe(const Event& event, ObservedSlice& slice);

}  // namespace cmbo::runner
