// SPDX-License-Identifier: Apache-2.0
//
// What decides which configuration to train next. Whether to go on at all is the business of the
// loop (loop.h), the same for every policy.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "decide/history.h"
#include "forecast/samples.h"

namespace cmbo::decide {

// One configuration's prospects, where a policy computes them.
struct Prospect {
  uint32_t configuration = 0;
  double acquisition = 0.0;  // A: expected improvement of the utility at the best horizon
  uint32_t horizon = 0;      // best Δt: further epochs after the next one
  // Only for what a Choice tells of: the chance that it raises the utility, and the median of its
  // sampled last epoch.
  std::optional<double> chance = {};
  std::optional<float> final_median = {};
};

// Whether it pays to look further at all: a few more epochs of one configuration, and what may come
// after them (acquisition.h). All in utility, at least 0.
struct Look {
  uint32_t epochs = 0;
  double price = 0.0;
  double foretold = 0.0;  // the gain by forecasts
  double gain = 0.0;      // the same as far as it is believed

  double worth() const { return gain - price; }
};

// What part of what was promised has come true in a search so far (hindsight.h), in (0,1].
struct Kept {
  double fresh = 1.0;  // of the promises of fresh configurations, after their first epoch
  double all = 1.0;    // of those of all steps, as far as they are due

  // By which the promise of a configuration is multiplied.
  double of(bool is_fresh) const { return is_fresh ? fresh * all : all; }
};

struct Choice {
  uint32_t configuration = 0;
  // How many epochs of it to train before asking again, at least 1; fewer if it diverges, ends or
  // the budget does not allow them.
  uint32_t epochs = 1;
  // p_b, the probability that the most promising one raises the utility, times kept.all; absent
  // where a policy does not know, and then the stopping rule has a fixed threshold.
  std::optional<double> probability;
  std::optional<Prospect> prospect;  // of the chosen configuration
  std::optional<Look> look;          // worth most of the most promising; absent likewise
  std::vector<Prospect> runners_up;  // best first, at most a handful
  Kept kept;                         // by it all prospects and chances are multiplied
  // Not the most promising one, which is then the first runner-up.
  bool on_guard = false;
  // Sampled futures of the most promising candidates, for outlook.h; empty where a policy has none.
  forecast::Samples futures;
};

// A pure function of history and seed: asked twice for the same history, the same answer. Policies
// may keep what they computed for an earlier history, never anything else. One thread at a time.
class Policy {
 public:
  virtual ~Policy() = default;

  // One of history.candidates(), of which there is at least one.
  virtual Result<Choice> choose(const History& history) = 0;
};

}  // namespace cmbo::decide
