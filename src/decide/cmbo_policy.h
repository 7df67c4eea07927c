// SPDX-License-Identifier: Apache-2.0
//
// Our own policy: train on what is expected to raise the utility most, n* = argmax A(n), by sampled
// futures of every candidate. Among equals the configuration with the smallest number wins.
//
// Two corrections of forecasts that are wrong on an unusual task. What is promised counts as much
// as has come true of earlier promises, of fresh configurations and of all (hindsight.h). And when
// only first epochs of fresh configurations were trained for a while, or no curve has been followed
// far for the steps made (`patience`, `depth`), one that has begun is next: of those that promise
// at least half as much as the best of them, the one that has come furthest. Whoever gives every
// configuration an epoch or two never sees how curves go on, and what forecasts say of that is
// never tested.
#pragma once

#include "decide/acquisition.h"
#include "decide/extrapolator.h"
#include "decide/hindsight.h"
#include "decide/policy.h"

namespace cmbo::decide {

enum class Acquisition {
  kUtility,              // A(n)
  kExpectedImprovement,  // of the last epoch, blind to cost: what utility is good for
};

struct CmboOptions {
  Utility utility;
  Budget budget = {};  // the loop's
  Acquisition acquisition = Acquisition::kUtility;
  // The share of the best horizon, in [0,1], that is trained before asking again; at least one
  // epoch. Where many configurations promise nearly the same, one epoch each of all of them brings
  // nothing, and an epoch whose outcome is known beforehand teaches nothing.
  double commitment = 0.0;
  // Fresh configurations in a row before one that has begun; 0 = no such guard.
  size_t patience = 3;
  // After b steps a configuration should have been trained for depth * sqrt(b) epochs; 0 = no such
  // guard. With 1 that is one of 17 epochs in 300 steps.
  double depth = 1.0;
  // Whether promises are discounted by what has become of earlier ones. Needs an extrapolator that
  // can be asked about earlier states of a history.
  bool hindsight = true;
};

class CmboPolicy : public Policy {
 public:
  CmboPolicy(Extrapolator extrapolator, CmboOptions options);

  // Considers the candidates whose next epoch the budget allows; an error if there is none, or if
  // the extrapolator fails. Prospects are those of the utility, whatever they are ranked by, and
  // discounted.
  Result<Choice> choose(const History& history) override;

 private:
  Extrapolator extrapolator_;
  CmboOptions options_;
  Hindsight hindsight_;
};

}  // namespace cmbo::decide
