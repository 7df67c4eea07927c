// SPDX-License-Identifier: Apache-2.0
//
// What is still to be spent until a search stops, and what that is expected to bring: the rest of
// the search is played a few times on sampled futures.
//
// A play takes one sampled curve of each of the most promising candidates for the truth, each drawn
// by itself, and goes on as policy and stopping rule would: an epoch of the candidate with the
// largest A shows which curve it is on; known, it is trained to its best horizon at once. Estimated
// are the means over all plays. Left out are what one candidate's training teaches about the
// others, candidates beyond those given, what is running, failures, and limits other than the
// budget. So it is a rough number: good for "minutes or hours", not for a schedule.
#pragma once

#include <cstdint>
#include <vector>

#include "decide/acquisition.h"
#include "decide/budget.h"
#include "decide/policy.h"
#include "decide/stopping.h"
#include "decide/utility.h"
#include "forecast/samples.h"

namespace cmbo::decide {

struct Outlook {
  struct Share {
    uint32_t configuration = 0;
    double epochs = 0.0;
  };
  double epochs = 0.0;             // to come
  double cost = 0.0;               // of them, in the user's unit
  double best = 0.0;               // the best value in the end, normalized
  double rise = 0.0;               // of it, from now
  double utility = 0.0;            // in the end
  std::vector<Share> shares = {};  // of the epochs, those with any
  // Every fourth play or more had to be cut short: it is at least this much.
  bool at_least = false;
};

// Where a search stands.
struct OutlookInput {
  const forecast::Samples& futures;  // of the most promising candidates, at least one
  Standing standing;                 // after at least one step
  double best_utility = 0.0;         // U_max
  double worst_utility = 0.0;        // U_min
  const Utility& utility;
  const Budget& budget;
  const StoppingRule& stopping;
  Kept kept;  // by which prospects and chances are multiplied
};

// The same for the same input.
Outlook foresee(const OutlookInput& input);

}  // namespace cmbo::decide
