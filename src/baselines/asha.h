// SPDX-License-Identifier: Apache-2.0
//
// Asynchronous successive halving (Li et al., "A System for Massively Parallel Hyperparameter
// Tuning", 2020), of the promotion type:
//
//   rungs r_k = eta^k epochs (1, 3, 9, 27, ...) below the horizon T, and T as the last one
//   next job: from the second highest rung down, a configuration that is among the best
//   floor(n_k / eta) of the n_k that completed rung k and was not promoted yet is trained to rung
//   k + 1; if there is none, the next configuration of a random order is trained to rung 0
//
// Configurations compare by their value at the rung's epoch. A job is trained epoch by epoch to its
// end before the next one; those of other workers are under way and left alone. When every
// configuration was started and none may be promoted, the best unfinished one is, so that a budget
// is never left unused.
#pragma once

#include <optional>

#include "decide/policy.h"

namespace cmbo::baselines {

struct AshaOptions {
  uint32_t eta = 3;  // >= 2: one in eta is promoted
  uint64_t seed = 1;
};

class Asha : public decide::Policy {
 public:
  explicit Asha(const AshaOptions& options = {});

  Result<decide::Choice> choose(const decide::History& history) override;

 private:
  void prepare(const decide::History& history);
  std::optional<uint32_t> under_way(const decide::History& history) const;
  std::optional<uint32_t> promotable(const decide::History& history) const;
  std::optional<uint32_t> unstarted(const decide::History& history) const;

  AshaOptions options_;
  // Of the pool that was asked about last.
  std::vector<uint32_t> rungs_;  // epochs, ascending; the last is the horizon
  std::vector<uint32_t> order_;
};

}  // namespace cmbo::baselines
