// SPDX-License-Identifier: Apache-2.0
//
// How far a search has kept what it promised. Whoever picks the most promising of a thousand picks
// those about which the forecast is most wrong, so what is found is less than what was expected:
// the optimizer's curse. A search sees how much less, one step after the other.
//
// Fresh configurations. The promise of a configuration before its first epoch is A, the expected
// gain in utility; what is left of it is the same expectation once that epoch is known, over the
// same U_prev. If forecasts were right, the second would be no less than the first on average:
//
//   fresh = min(1, (c + sum of r) / (c + starts))        r = min(2, left / promised)
//
// over those of the twenty latest starts that promised anything, as if c = 3 before them had kept
// their word.
//
// All steps. Whatever was trained at step s promised A_s within h_s epochs (that of a fresh
// configuration times `fresh`). By now, b - s steps later, a share of that is due, and the utility
// has risen somewhere or it has not. Training something else since then is no excuse, for it was
// chosen because it promised more:
//
//   all = max(1/20, min(1, (A + sum of rises) / (A + sum of due))^2)
//     due = min(A_s, A) min(1, (b - s) / h_s)
//     rise = by how much U exceeded U_{s-1} in these steps, at most min(A_s, A)
//
// over every tenth of the latest 150 steps, if it promised anything, as if one before them had kept
// its word. A is what is promised now at most: no more of an earlier promise counts, because that
// the large gains of the beginning came true says nothing of the small ones that are left. Squared,
// because promises that are broken again and again are worth less than the share that came true;
// but not below a twentieth, because some searches find their best late (docs/experiments.md).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "decide/budget.h"
#include "decide/extrapolator.h"
#include "decide/history.h"
#include "decide/policy.h"
#include "decide/utility.h"

namespace cmbo::decide {

class Hindsight {
 public:
  Hindsight(Extrapolator extrapolator, Utility utility, Budget budget);

  // `now` is what is promised now, not discounted. A function of this and the history's pool and
  // steps alone. Asks the extrapolator about what was trained lately, before and after; not again
  // if the history only grew since the last time.
  Result<Kept> kept(const History& history, std::span<const Prospect> now);

 private:
  // What was expected of the configuration of a step when it was chosen.
  struct Promise {
    size_t step = 0;  // its place in the history
    bool fresh = false;
    double gain = 0.0;    // A
    uint32_t epochs = 1;  // h
    double left = 0.0;    // of a fresh one's gain, after its first epoch
  };
  // Asks about the steps from the place `first` on that count, and notes all utilities.
  Status look_back(const History& history, size_t first);
  double kept_by_fresh(size_t first_start) const;
  double kept_by_all(double fresh, double promised) const;

  Extrapolator extrapolator_;
  Utility utility_;
  Budget budget_;
  std::vector<Step> known_;        // the steps of the last question
  std::vector<double> utilities_;  // before each of them, and after the last
  std::vector<Promise> promises_;  // of those that count or once did, in their order
};

}  // namespace cmbo::decide
