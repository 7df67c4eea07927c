// SPDX-License-Identifier: Apache-2.0
//
// Runs that differ only in the price of a step take the same path as long as they go on, if their
// policy does not look at the price. They share its work through a memory of its choices.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "base/clock.h"
#include "decide/policy.h"

namespace cmbo::replay {

// Chooses as `policy` does. Nothing may be withheld in the histories that it is asked about.
class Memory : public decide::Policy {
 public:
  // `clock` outlives it.
  Memory(std::unique_ptr<decide::Policy> policy, const Clock& clock);

  // Remembered for every history that led to the last one asked about; another path forgets all.
  Result<decide::Choice> choose(const decide::History& history) override;

  // How long the choices took that were answered from memory since the last call: what a run on its
  // own would have spent.
  double take_saved_seconds();

 private:
  struct Remembered {
    decide::Choice choice;
    double seconds = 0.0;
  };
  void follow(const decide::History& history);

  std::unique_ptr<decide::Policy> policy_;
  const Clock& clock_;
  std::vector<decide::Step> seen_;                     // the longest way so far
  std::vector<std::optional<Remembered>> remembered_;  // after so many of these steps
  double saved_seconds_ = 0.0;
};

}  // namespace cmbo::replay
