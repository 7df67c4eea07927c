// SPDX-License-Identifier: Apache-2.0
#include "replay/memory.h"

#include <utility>

#include "baselines/learning.h"

namespace cmbo::replay {

Memory::Memory(std::unique_ptr<decide::Policy> policy, const Clock& clock)
    : policy_(std::move(policy)), clock_(clock) {}

void Memory::follow(const decide::History& history) {
  const auto steps = history.steps();
  if (baselines::goes_on_from(steps, seen_)) return;
  if (!baselines::goes_on_from(seen_, steps)) remembered_.clear();
  seen_.assign(steps.begin(), steps.end());
}

Result<decide::Choice> Memory::choose(const decide::History& history) {
  follow(history);
  remembered_.resize(seen_.size() + 1);
  std::optional<Remembered>& known = remembered_[history.steps().size()];
  if (known) {
    saved_seconds_ += known->seconds;
    return known->choice;
  }
  const double begin = clock_.monotonic_seconds();
  CMBO_TRY(const decide::Choice choice, policy_->choose(history));
  known = Remembered{choice, clock_.monotonic_seconds() - begin};
  return choice;
}

double Memory::take_saved_seconds() {
  return std::exchange(saved_seconds_, 0.0);
}

}  // namespace cmbo::replay
