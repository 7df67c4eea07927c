// SPDX-License-Identifier: Apache-2.0
#include "study/memory_storage.h"

#include <algorithm>
#include <fmt/format.h>

#include "base/check.h"

namespace cmbo::study {

Status MemoryStorage::create(const StudyRecord& study, std::span<const Trial> trials) {
  if (study_) return Error("there is a study already; open it instead");
  study_ = study;
  trials_.assign(trials.begin(), trials.end());
  return {};
}

Status MemoryStorage::save(const StudyRecord& study) {
  CHECK(study_.has_value(), "create() comes first");
  study_ = study;
  return {};
}

Status MemoryStorage::save(const Trial& trial) {
  CHECK(trial.number < trials_.size(), "no such trial");
  trials_[trial.number] = trial;
  return {};
}

Status MemoryStorage::extend(std::span<const Trial> trials) {
  for (const Trial& trial : trials) {
    CHECK(trial.number == trials_.size(), "trials are numbered without gaps");
    trials_.push_back(trial);
  }
  return {};
}

Result<uint64_t> MemoryStorage::start(const Slice& slice, const Trial& trial,
                                      const DecisionRecord& decision) {
  CMBO_RETURN_IF_ERROR(save(trial));
  slices_.push_back(slice);
  slices_.back().id = slices_.size();
  add(decision);
  return slices_.back().id;
}

Result<Recorded> MemoryStorage::record(const Observation& observation) {
  uint32_t last = 0;
  for (const Observation& known : observations_) {
    if (known.trial != observation.trial) continue;
    last = std::max(last, known.step);
    if (known.step != observation.step) continue;
    if (same_value(known.value, observation.value)) return Recorded::kKnown;
    Observation other = observation;
    other.seconds = 0.0;
    conflicts_.try_emplace({other.trial, other.step}, other);
    return Recorded::kConflict;
  }
  if (observation.step != last + 1) return gap_error(observation, last);
  observations_.push_back(observation);
  return Recorded::kNew;
}

Result<std::vector<Observation>> MemoryStorage::conflicts() {
  std::vector<Observation> all;
  for (const auto& [place, observation] : conflicts_) all.push_back(observation);
  return all;
}

Status MemoryStorage::end(const Slice& slice, const Trial& trial) {
  CHECK(slice.id >= 1 && slice.id <= slices_.size(), "no such slice");
  CMBO_RETURN_IF_ERROR(save(trial));
  slices_[slice.id - 1] = slice;
  return {};
}

void MemoryStorage::add(const DecisionRecord& decision) {
  decisions_.push_back(decision);
  decisions_.back().id = decisions_.size();
}

Status MemoryStorage::add(const DecisionRecord& decision, const StudyRecord& study) {
  CMBO_RETURN_IF_ERROR(save(study));
  add(decision);
  return {};
}

Status MemoryStorage::set_wish(Wish wish) {
  wish_ = wish;
  return {};
}

Result<uint64_t> MemoryStorage::enqueue(const Json& parameters) {
  queue_.push_back({++enqueued_, parameters});
  return enqueued_;
}

Status MemoryStorage::accept(uint64_t queued, const Trial& trial) {
  CHECK(trial.number <= trials_.size(), "trials are numbered without gaps");
  std::erase_if(queue_, [&](const QueuedConfiguration& entry) { return entry.id == queued; });
  if (trial.number == trials_.size()) trials_.emplace_back();
  return save(trial);
}

}  // namespace cmbo::study
