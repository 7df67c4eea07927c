// SPDX-License-Identifier: Apache-2.0
//
// Successive halving, bracket after bracket (brackets.h), whoever proposes the configurations.
// Synchronous: all jobs of a rung end before the first of the next.
#pragma once

#include "baselines/brackets.h"
#include "baselines/plan.h"

namespace cmbo::baselines {

// Where the configurations that start a bracket come from.
class Proposer {
 public:
  virtual ~Proposer() = default;

  // One that was never proposed before; nullopt when the pool is used up.
  virtual std::optional<uint32_t> propose() = 0;
  // What came of any job, of whatever rung.
  virtual void tell(const Job& job, float value) = 0;
};

// The brackets over and over until the pool is used up.
class HalvingPlan : public Plan {
 public:
  HalvingPlan(size_t horizon, uint32_t eta, std::unique_ptr<Proposer> proposer);

  std::optional<Job> next() override;
  void tell(float value) override;

 private:
  const Bracket& bracket() const { return brackets_[bracket_]; }
  bool start_another();
  void promote();
  void begin_bracket();

  uint32_t eta_;
  std::vector<Bracket> brackets_;
  std::unique_ptr<Proposer> proposer_;
  size_t bracket_ = 0, rung_ = 0;
  std::vector<uint32_t> members_;  // of the rung
  std::vector<float> values_;      // of the first of them
};

}  // namespace cmbo::baselines
