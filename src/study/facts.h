// SPDX-License-Identifier: Apache-2.0
//
// All that is known of a study, in memory: what status, trials, plots and decisions are made from.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/result.h"
#include "study/records.h"
#include "study/storage.h"
#include "study/study_file.h"

namespace cmbo::study {

// Reads only; for any process at any time.
class Facts {
 public:
  // An error if the storage holds no study.
  static Result<Facts> load(Storage& storage);

  const StudyRecord& study() const { return study_; }
  std::span<const Trial> trials() const { return trials_; }
  std::span<const Slice> slices() const { return slices_; }
  std::span<const Observation> observations() const { return observations_; }  // as recorded

  // Other values of recorded steps: the script is not deterministic or repeats steps.
  std::span<const Observation> conflicts() const { return conflicts_; }

  // The last recorded step of a trial, 0 if there is none.
  uint32_t steps(uint32_t trial) const { return static_cast<uint32_t>(curves_[trial].size()); }
  // Where the steps 1, 2, ... of a trial stand in observations().
  std::span<const size_t> curve(uint32_t trial) const { return curves_[trial]; }
  // The last observation of a trial; null if there is none.
  const Observation* last(uint32_t trial) const;
  const Slice* find_slice(uint64_t id) const;  // null if there is no such slice
  std::vector<const Slice*> open_slices() const;

  // Writing is the business of study.h, after the storage has it.
  StudyRecord& mutable_study() { return study_; }
  void put(const Trial& trial);  // replaces it, or adds the next
  void put(const Slice& slice);  // likewise
  void add(const Observation& observation);
  void add_conflict(const Observation& observation);  // the first of each step counts

 private:
  StudyRecord study_;
  std::vector<Trial> trials_;
  std::vector<Slice> slices_;  // id = place + 1
  std::vector<Observation> observations_;
  std::vector<Observation> conflicts_;
  std::vector<std::vector<size_t>> curves_;  // of each trial
};

// What was paid for, in the order of recording: every step, the last one of a slice with what
// followed it (saving, leaving), and slices that ended without a step.
struct Expense {
  const Observation* observation;  // of the facts; null: nothing came of it
  double seconds;
  double cost;  // in the utility's unit
};
std::vector<Expense> expenses_of(const StudyFile& file, const Facts& facts);

// The best value of a trial as a number that is larger for better ones; -infinity if it has none.
double goodness(const StudyFile& file, const Facts& facts, uint32_t trial);
// The trials with a step, the best first.
std::vector<uint32_t> best_first(const StudyFile& file, const Facts& facts);

// What a study has reached, in the user's units.
struct Standing {
  std::optional<uint32_t> best_trial = {};  // absent before the first finite value
  uint32_t best_step = 0;
  double best_value = 0.0;
  uint64_t epochs = 0;         // recorded
  double train_seconds = 0.0;  // of all slices, start-up included
  double cost = 0.0;           // in the utility's unit, of what has been recorded or has ended
  double wall_seconds = 0.0;   // without downtime
};
Standing standing_of(const StudyFile& file, const Facts& facts);

}  // namespace cmbo::study
