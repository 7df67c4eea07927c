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

float value_of(const Job& job, const History& history) {
  return history.curves().curve(job.configuration)[job.epochs - 1];
}

}  // namespace

PlannedPolicy::PlannedPolicy(std::function<std::unique_ptr<Plan>()> begin)
    : begin_(std::move(begin)), plan_(begin_()) {}

bool PlannedPolicy::confirmed_by(const History& history) const {
  return std::all_of(told_.begin(), told_.end(), [&](const Told& told) {
    return is_done(told.job, history) && value_of(told.job, history) == told.value;
  });
}

Result<decide::Choice> PlannedPolicy::choose(const History& history) {
  if (!confirmed_by(history)) {
    plan_ = begin_();
    told_.clear();
  }
  std::optional<Job> job = plan_->next();
  while (job && is_done(*job, history)) {
    told_.push_back({*job, value_of(*job, history)});
    plan_->tell(told_.back().value);
    job = plan_->next();
  }
  decide::Choice choice;
  choice.configuration = job ? job->configuration : best_unfinished(history);
  return choice;
}

}  // namespace cmbo::baselines
