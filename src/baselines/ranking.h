// SPDX-License-Identifier: Apache-2.0
//
// What can be had without any model where earlier tasks trained the same pool: a fixed order of
// configurations, each with a fixed length. With M training tasks and y_{m,n,t} their curves,
//
//   u_{m,n}(t) = U(t, max over s <= t of y_{m,n,s})       the utility of training n alone
//   score_n    = mean over m of max over t of u_{m,n}(t)  the larger, the earlier
//   length_n   = argmax over t of mean over m of u_{m,n}(t), the shortest of equal ones
//
// Configurations are trained in this order, each to its length; after the last one, to their ends.
#pragma once

#include <span>

#include "curves/curve_table.h"
#include "decide/policy.h"
#include "decide/utility.h"

namespace cmbo::baselines {

class Ranking : public decide::Policy {
 public:
  // At least one training task; they hold the same configurations in the same order as the pool
  // (curves::share_configurations), with curves recorded to the last epoch.
  Ranking(std::span<const curves::CurveTable* const> training, const decide::Utility& utility);

  Result<decide::Choice> choose(const decide::History& history) override;

  // Configurations, the first to be trained first, and how long each is trained at first.
  std::span<const uint32_t> order() const { return order_; }
  std::span<const uint32_t> lengths() const { return lengths_; }

 private:
  std::vector<uint32_t> order_;
  std::vector<uint32_t> lengths_;  // by configuration
};

}  // namespace cmbo::baselines
