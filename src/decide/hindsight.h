// SPDX-License-Identifier: Apache-2.0
//
// How far fresh configurations have kept what they promised. Whoever picks the most promising of a
// thousand picks those about which the forecast is most wrong, so what is found is less than what
// was expected: the optimizer's curse. A search sees how much less, one start after the other.
//
// The promise of a configuration before its first epoch is A, the expected gain in utility; what is
// left of it is the same expectation once that epoch is known, over the same U_prev. If forecasts
// were right, the second would be no less than the first on average. Trust is
//
//   min(1, (c + sum of r) / (c + starts))        r = min(2, left / promised)
//
// over those of the twenty latest starts that promised anything, as if c = 3 before them had kept
// their word.
#pragma once

#include <optional>
#include <vector>

#include "decide/budget.h"
#include "decide/extrapolator.h"
#include "decide/history.h"
#include "decide/utility.h"

namespace cmbo::decide {

class Hindsight {
 public:
  Hindsight(Extrapolator extrapolator, Utility utility, Budget budget);

  // In (0,1]; a function of the history's pool and steps alone. Asks the extrapolator about each
  // of the latest starts, before and after; not again if the history only grew since the last time.
  Result<double> trust(const History& history);

 private:
  struct Start {
    double utility = 0.0;  // U_prev before it
    double promised = 0.0;
    double left = 0.0;
  };
  // After `past`: what is left of the latest start, whose first epoch is its last step, and what
  // the configuration that starts next promises; either may be absent.
  Status look(const History& past, std::optional<uint32_t> started,
              std::optional<uint32_t> starting);

  Extrapolator extrapolator_;
  Utility utility_;
  Budget budget_;
  std::vector<Step> known_;    // the steps of the last question
  std::vector<Start> starts_;  // in them; those that are long ago may be left at 0
};

}  // namespace cmbo::decide
