// SPDX-License-Identifier: Apache-2.0
#include "baselines/halving_plan.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/check.h"

namespace cmbo::baselines {

HalvingPlan::HalvingPlan(size_t horizon, uint32_t eta, std::unique_ptr<Proposer> proposer)
    : eta_(eta), brackets_(hyperband_brackets(horizon, eta)), proposer_(std::move(proposer)) {}

bool HalvingPlan::start_another() {
  if (rung_ > 0 || members_.size() == bracket().configurations) return false;
  const std::optional<uint32_t> proposed = proposer_->propose();
  if (proposed) members_.push_back(*proposed);
  return proposed.has_value();
}

// Of equal values the earlier member goes on.
void HalvingPlan::promote() {
  std::vector<size_t> places(members_.size());
  std::iota(places.begin(), places.end(), size_t{0});
  std::stable_sort(places.begin(), places.end(),
                   [&](size_t a, size_t b) { return values_[a] > values_[b]; });
  std::vector<uint32_t> best;
  for (size_t i = 0; i < promoted(members_.size(), eta_); ++i) best.push_back(members_[places[i]]);
  members_ = std::move(best);
  values_.clear();
  ++rung_;
}

void HalvingPlan::begin_bracket() {
  bracket_ = (bracket_ + 1) % brackets_.size();
  rung_ = 0;
  members_.clear();
  values_.clear();
}

std::optional<Job> HalvingPlan::next() {
  while (values_.size() == members_.size() && !start_another()) {
    if (members_.empty()) return std::nullopt;
    if (rung_ + 1 < bracket().rungs.size()) {
      promote();
    } else {
      begin_bracket();
    }
  }
  return Job{members_[values_.size()], bracket().rungs[rung_]};
}

void HalvingPlan::tell(float value) {
  const std::optional<Job> job = next();
  CHECK(job.has_value(), "a value is of a job");
  values_.push_back(value);
  proposer_->tell(*job, value);
}

}  // namespace cmbo::baselines
