// SPDX-License-Identifier: Apache-2.0
//
// A study that lasts as long as this object: for tests and simulations, and the storage contract in
// its simplest form.
#pragma once

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "study/storage.h"

namespace cmbo::study {

class MemoryStorage : public Storage {
 public:
  Result<std::optional<StudyRecord>> study() override { return study_; }
  Status create(const StudyRecord& study, std::span<const Trial> trials) override;
  Status save(const StudyRecord& study) override;

  Result<std::vector<Trial>> trials() override { return trials_; }
  Result<std::vector<Slice>> slices() override { return slices_; }
  Result<std::vector<Observation>> observations() override { return observations_; }
  Result<std::vector<DecisionRecord>> decisions() override { return decisions_; }
  Result<std::vector<Observation>> conflicts() override;

  Status save(const Trial& trial) override;
  Status extend(std::span<const Trial> trials) override;
  Result<uint64_t> start(const Slice& slice, const Trial& trial,
                         const DecisionRecord& decision) override;
  Result<Recorded> record(const Observation& observation) override;
  Status end(const Slice& slice, const Trial& trial) override;
  Status add(const DecisionRecord& decision, const StudyRecord& study) override;

  Result<Wish> wish() override { return wish_; }
  Status set_wish(Wish wish) override;
  Result<std::vector<QueuedConfiguration>> queue() override { return queue_; }
  Result<uint64_t> enqueue(const Json& parameters) override;
  Status accept(uint64_t queued, const Trial& trial) override;

 private:
  void add(const DecisionRecord& decision);

  std::optional<StudyRecord> study_;
  std::vector<Trial> trials_;
  std::vector<Slice> slices_;
  std::vector<Observation> observations_;
  std::vector<DecisionRecord> decisions_;
  std::map<std::pair<uint32_t, uint32_t>, Observation> conflicts_;  // by trial and step
  Wish wish_ = Wish::kRun;
  std::vector<QueuedConfiguration> queue_;
  uint64_t enqueued_ = 0;  // ever
};

}  // namespace cmbo::study
