// SPDX-License-Identifier: Apache-2.0
#include "baselines/plan.h"

#include <algorithm>
#include <utility>

#include "baselines/order.h"

namespace cmbo::baselines {

namespace {

using decide::History;

bool is_done(const Job& job, const History& history) {
  return history.epochs(job.configuration) >= job.epochs;
}

// Nothing is to be trained for it now.
bool is_settled(const Job& job, const History& history) {
  return is_done(job, history) || !history.is_candidate(job.configuration);
}

float value_of(const Job& job, const History& history) {
  const uint32_t epochs = std::min(job.epochs, history.epochs(job.configuration));
  return epochs == 0 ? 0.0F : history.curves().curve(job.configuration)[epochs - 1];
}

}  // namespace

PlannedPolicy::PlannedPolicy(Begin begin) : begin_(std::move(begin)) {}

bool PlannedPolicy::confirmed_by(const History& history) const {
  return std::all_of(told_.begin(), told_.end(), [&](const Told& told) {
    return is_settled(told.job, history) && value_of(told.job, history) == told.value;
  });
}

Result<decide::Choice> PlannedPolicy::choose(const History& history) {
  if (!plan_ || pool_.size() != history.size() || !confirmed_by(history)) {
    plan_.reset();
    pool_ = history.curves();
    plan_ = begin_(pool_);
    told_.clear();
  }
  std::optional<Job> job = plan_->next();
  while (job && is_settled(*job, history)) {
    told_.push_back({*job, value_of(*job, history)});
    plan_->tell(told_.back().value);
    job = plan_->next();
  }
  decide::Choice choice;
  choice.configuration = job ? job->configuration : best_unfinished(history);
  return choice;
}

}  // namespace cmbo::baselines
