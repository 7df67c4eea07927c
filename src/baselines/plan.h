// SPDX-License-Identifier: Apache-2.0
//
// Methods that think in whole jobs ("train this configuration to epoch 9") instead of single
// epochs, made into policies.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "curves/curve_table.h"
#include "decide/policy.h"

namespace cmbo::baselines {

struct Job {
  uint32_t configuration = 0;
  uint32_t epochs = 1;  // in all: what was trained before counts
};

// One job after the other. What comes next depends on the values told and on a seed alone.
class Plan {
 public:
  virtual ~Plan() = default;

  // The same until its value is told; nullopt if nothing is planned any more.
  virtual std::optional<Job> next() = 0;
  // The value at the last epoch of that job.
  virtual void tell(float value) = 0;
};

// Trains the jobs of a plan epoch by epoch. A job that the history has done already is told to the
// plan at once and costs nothing. After the last job the best unfinished configuration goes on.
//
// A configuration that is withheld, because another worker trains it or because it failed, counts
// as if it stayed at its last value (0, if it has none): the plan goes on with its next job.
//
// The state is that of a fresh plan after the values in the history: it is kept from one question
// to the next as long as the history confirms every value told, and built anew if not, and when the
// pool has grown.
class PlannedPolicy : public decide::Policy {
 public:
  // Begins a plan for a pool, which outlives it; its curves are not looked at.
  using Begin = std::function<std::unique_ptr<Plan>(const curves::CurveTable& pool)>;

  explicit PlannedPolicy(Begin begin);

  Result<decide::Choice> choose(const decide::History& history) override;

 private:
  struct Told {
    Job job;
    float value;
  };
  bool confirmed_by(const decide::History& history) const;

  Begin begin_;
  curves::CurveTable pool_;
  std::unique_ptr<Plan> plan_;
  std::vector<Told> told_;
};

}  // namespace cmbo::baselines
