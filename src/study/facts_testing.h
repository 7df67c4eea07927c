// SPDX-License-Identifier: Apache-2.0
//
// For tests: facts written down.
#pragma once

#include <vector>

#include "study/facts.h"

namespace cmbo::study {

// The steps of one slice of a trial; from the second on, `seconds` is given for each, or 1.
struct SliceSteps {
  uint32_t trial = 0;
  std::vector<double> values = {};
  std::vector<double> seconds = {};
  double tail = 0.0;  // seconds after the last step
};

// `trials` frozen trials with whatever slices they had.
inline Facts make_facts(uint32_t trials, const std::vector<SliceSteps>& slices) {
  Facts facts;
  for (uint32_t n = 0; n < trials; ++n) {
    facts.put(Trial{.number = n, .parameters = {{"width", n + 1}}, .state = TrialState::kFrozen});
  }
  for (const SliceSteps& steps : slices) {
    Slice slice{.id = facts.slices().size() + 1, .trial = steps.trial};
    slice.from = facts.steps(steps.trial);
    slice.to = slice.from + static_cast<uint32_t>(steps.values.size());
    slice.outcome = Outcome::kReached;
    slice.seconds = steps.tail;
    for (size_t i = 0; i < steps.values.size(); ++i) {
      const double seconds = steps.seconds.empty() ? 1.0 : steps.seconds[i];
      slice.seconds += seconds;
      facts.add(Observation{.trial = steps.trial,
                            .step = facts.steps(steps.trial) + 1,
                            .value = steps.values[i],
                            .seconds = seconds,
                            .slice = slice.id});
    }
    facts.put(slice);
  }
  return facts;
}

}  // namespace cmbo::study
