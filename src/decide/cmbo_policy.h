// SPDX-License-Identifier: Apache-2.0
//
// Our own policy: train on what is expected to raise the utility most, n* = argmax A(n), by sampled
// futures of every candidate. Among equals the configuration with the smallest number wins.
//
// One guard against forecasts that are wrong on an unusual task: when only first epochs of fresh
// configurations were trained for a while, the best of those that have begun is next (`patience`).
// Hopes for fresh ones are not tested by starting more and more of them.
#pragma once

#include <functional>
#include <span>

#include "decide/acquisition.h"
#include "decide/policy.h"

namespace cmbo::decide {

// Futures of the asked rows of a history, which are ascending and not finished; as many samples of
// each, for exactly these. The same answer to the same question.
using Extrapolator = std::function<Result<forecast::Samples>(const curves::CurveTable& history,
                                                             std::span<const uint32_t> asked)>;

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
  size_t patience =
      3;  // fresh configurations in a row before one that has begun; 0 = no such guard
};

class CmboPolicy : public Policy {
 public:
  CmboPolicy(Extrapolator extrapolator, CmboOptions options);

  // Considers the candidates whose next epoch the budget allows; an error if there is none, or if
  // the extrapolator fails. Prospects are those of the utility, whatever they are ranked by.
  Result<Choice> choose(const History& history) override;

 private:
  Extrapolator extrapolator_;
  CmboOptions options_;
};

}  // namespace cmbo::decide
