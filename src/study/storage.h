// SPDX-License-Identifier: Apache-2.0
//
// Where a study is kept. Storages know records and nothing of what they mean; the rules are
// study.h's. Every storage passes the same contract suite (src/storage/contract_test.cpp).
//
// Each function is one transaction: when it succeeds all of it is durable, when it fails, or the
// process dies in it, nothing of it is. One process drives a study and writes all facts; others may
// read, and write wishes and queued configurations, at any time. One thread at a time.
// Errors name the file and end with what to do.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/result.h"
#include "study/records.h"
#include "study/trial.h"

namespace cmbo::study {

enum class Recorded {
  kNew,
  kKnown,     // recorded before with the same value
  kConflict,  // recorded before with another value, which is kept; the new one is a conflict
};

// What record() says about a step that does not follow the last one.
Error gap_error(const Observation& observation, uint32_t last);

class Storage {
 public:
  virtual ~Storage() = default;

  // The study; absent before create().
  virtual Result<std::optional<StudyRecord>> study() = 0;
  // A new study with its pool, numbered from 0; an error if there is one already.
  virtual Status create(const StudyRecord& study, std::span<const Trial> trials) = 0;
  virtual Status save(const StudyRecord& study) = 0;

  virtual Result<std::vector<Trial>> trials() = 0;              // by number
  virtual Result<std::vector<Slice>> slices() = 0;              // by id
  virtual Result<std::vector<Observation>> observations() = 0;  // in the order of recording
  virtual Result<std::vector<DecisionRecord>> decisions() = 0;  // by id
  // Of each step that was reported with different values the first other one, by trial and step.
  // Without seconds.
  virtual Result<std::vector<Observation>> conflicts() = 0;

  // Replaces a trial.
  virtual Status save(const Trial& trial) = 0;
  // The next trials of the pool.
  virtual Status extend(std::span<const Trial> trials) = 0;
  // Starts a slice of a trial, together with why and the trial's new state. Gives the slice's id;
  // the ids in the arguments are ignored.
  virtual Result<uint64_t> start(const Slice& slice, const Trial& trial,
                                 const DecisionRecord& decision) = 0;
  // The next step of a trial, or one that is known already; a gap is an error.
  virtual Result<Recorded> record(const Observation& observation) = 0;
  // Ends a slice: replaces it and its trial.
  virtual Status end(const Slice& slice, const Trial& trial) = 0;
  // A decision that started nothing, together with the study's new state.
  virtual Status add(const DecisionRecord& decision, const StudyRecord& study) = 0;

  // What others ask for. kRun until it is set.
  virtual Result<Wish> wish() = 0;
  virtual Status set_wish(Wish wish) = 0;
  virtual Result<std::vector<QueuedConfiguration>> queue() = 0;  // by id
  virtual Result<uint64_t> enqueue(const Json& parameters) = 0;
  // Takes a configuration off the queue and replaces its trial, or adds the next one.
  virtual Status accept(uint64_t queued, const Trial& trial) = 0;
};

}  // namespace cmbo::study
