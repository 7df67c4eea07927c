// SPDX-License-Identifier: Apache-2.0
//
// What a search has seen: the pool's curves so far and the steps in their order. One step is one
// epoch of one configuration. Values are normalized: in [0,1], larger is better, 0 is diverged.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "curves/curve_table.h"

namespace cmbo::decide {

struct Step {
  uint32_t configuration;
  uint32_t epoch;  // 1..T
  float value;
  double cost = 1.0;  // in the user's unit
};

inline bool is_start(const Step& step) {
  return step.epoch == 1;
}

class History {
 public:
  // Configurations, horizon and y_0 of `pool`; whatever curves it holds are forgotten.
  explicit History(curves::CurveTable pool);

  // The next epoch of a configuration that is not finished. Values outside of [0,1] are clamped,
  // one that is not a number counts as diverged. `cost`: finite, not negative.
  void add(uint32_t configuration, float value, double cost = 1.0);

  // A cost without an epoch: a training that failed, or one that is still under way.
  void charge(double cost);
  // Takes a configuration out of the candidates: one that is being trained, or that failed.
  void withhold(uint32_t configuration);

  const curves::CurveTable& curves() const { return curves_; }  // lengths: epochs seen
  std::span<const Step> steps() const { return steps_; }
  size_t size() const { return curves_.size(); }
  uint32_t epochs(uint32_t configuration) const { return curves_.lengths[configuration]; }
  bool finished(uint32_t configuration) const { return epochs(configuration) >= curves_.horizon; }
  bool is_candidate(uint32_t configuration) const {
    return !finished(configuration) && !withheld_[configuration];
  }
  // The configurations that can be trained further and are not withheld, ascending.
  std::vector<uint32_t> candidates() const;
  // The best value of all steps; 0 before the first.
  float best() const { return best_; }
  // The cost of all steps, and what was charged.
  double spent() const { return spent_; }

 private:
  curves::CurveTable curves_;
  std::vector<Step> steps_;
  std::vector<bool> withheld_;  // of each configuration
  float best_ = 0.0F;
  double spent_ = 0.0;
};

}  // namespace cmbo::decide
