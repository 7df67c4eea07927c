// SPDX-License-Identifier: Apache-2.0
#include "baselines/hyperband.h"

#include "baselines/halving_plan.h"
#include "baselines/order.h"

namespace cmbo::baselines {

namespace {

class RandomProposer : public Proposer {
 public:
  RandomProposer(size_t count, uint64_t seed) : order_(random_order(count, seed)) {}

  std::optional<uint32_t> propose() override {
    return next_ < order_.size() ? std::optional(order_[next_++]) : std::nullopt;
  }
  void tell(const Job&, float) override {}

 private:
  std::vector<uint32_t> order_;
  size_t next_ = 0;
};

}  // namespace

Hyperband::Hyperband(const HyperbandOptions& options)
    : PlannedPolicy([options](const curves::CurveTable& pool) {
        return std::make_unique<HalvingPlan>(
            pool.horizon, options.eta, std::make_unique<RandomProposer>(pool.size(), options.seed));
      }) {}

}  // namespace cmbo::baselines
