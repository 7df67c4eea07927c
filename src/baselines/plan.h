// SPDX-License-Identifier: Apache-2.0
//
// Methods that think in whole jobs ("train this configuration to epoch 9") instead of single
// epochs, made into policies.
#pragma once

#include <functional>
#include <memory>
#include <optional>

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
// The state is that of a fresh plan after the values in the history: it is kept from one question
// to the next as long as the history confirms every value told, and built anew if not.
class PlannedPolicy : public decide::Policy {
 public:
  explicit PlannedPolicy(std::function<std::unique_ptr<Plan>()> begin);

  Result<decide::Choice> choose(const decide::History& history) override;

 private:
  struct Told {
    Job job;
    float value;
  };
  bool confirmed_by(const decide::History& history) const;

  std::function<std::unique_ptr<Plan>()> begin_;
  std::unique_ptr<Plan> plan_;
  std::vector<Told> told_;
};

}  // namespace cmbo::baselines
