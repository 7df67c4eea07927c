// SPDX-License-Identifier: Apache-2.0
//
// The study of one study.yaml: ask what to train, report what came of it.
//
//   CMBO_TRY(Study study, Study::open(file, text, {storage, clock, factory}));
//   for (;;) {
//     CMBO_TRY(const Answer answer, study.ask());
//     // Stop: leave. Wait: poll again later, tick() meanwhile. Train: start a worker, which calls
//     // study.report() for every step that it hears of and study.end_slice() when it is over.
//   }
//
// After an error of the storage the study must be opened anew.
// Nothing is acknowledged before it is durable, so the process may be killed between any two
// instructions: after open() the study goes on from what was recorded. One thread at a time; one
// process at a time drives a study (the storage sees to that), others use Facts and Storage.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "study/deliberation.h"
#include "study/eviction.h"
#include "study/facts.h"
#include "study/receipt.h"
#include "study/storage.h"
#include "study/study_file.h"

namespace cmbo::study {

// Train `trial` from its checkpoint of step `from` (0 = fresh) up to and including step `to`.
struct Train {
  uint64_t slice = 0;
  uint32_t trial = 0;
  Json parameters = {};
  uint32_t from = 0;
  uint32_t to = 0;
};
struct Wait {
  std::string reason = {};  // "paused", "all 2 workers are busy", ...
};
struct Stop {
  std::string reason = {};
};
using Answer = std::variant<Train, Wait, Stop>;

struct Report {
  uint32_t step = 0;
  double value = 0.0;    // what is not finite is diverged
  double seconds = 0.0;  // since the report before, or since the slice began; at least 0
};
struct Reported {
  Recorded recorded = Recorded::kNew;
  // Let the training go on. False after a value that is not finite, and after the slice's target.
  bool go_on = true;
};

struct SliceEnd {
  Outcome outcome = Outcome::kReached;
  std::string text = {};  // what went wrong: the tail of stderr, the signal
  double seconds = 0.0;   // of the whole slice, start-up included
};

// The outside world of a study; all outlive it.
struct StudyContext {
  Storage& storage;
  const Clock& clock;
  PolicyFactory policy;
};

class Study {
 public:
  // Goes on with the study in the storage, or begins it: the pool is the default configuration, if
  // the space has one, then a Sobol sequence. `definition`: the text of the study file, kept. An
  // error by check_continues(); a larger pool gets what it lacks. Slices that were open are lost:
  // their trials are frozen at the last recorded step. Clears the wish to pause or to stop,
  // and a stopped study runs again (and may stop again at once).
  static Result<Study> open(const StudyFile& file, const std::string& definition,
                            const StudyContext& context);

  // Never blocks. Trains, in this order: the default configuration and enqueued ones that were
  // never trained; what the policy chooses, of a pool that is refined now and then (refinement.h).
  // Waits while paused, while all workers are busy, and when it would stop but slices are still
  // open, for they may change that. Stops by limits, by the utility, by request, when nothing is
  // left to train, and when the first kMostFirstFailures configurations all failed in their first
  // slice. A stop is final until open(). The length of a slice is at most the policy's best
  // horizon, if it knows one, and long enough that start-up does not dominate (cost_model.h).
  Result<Answer> ask();

  // One slice of this trial up to the horizon, whatever utility and limits say and even if the
  // study has stopped. Waits while the trial runs; Stop says why it cannot be trained any more.
  Result<Answer> finish(uint32_t trial);

  // Idempotent per (trial, step): repeating a step is fine, a step with another value than recorded
  // is kept as it was first and noted as a conflict (Facts::conflicts). An error if the step leaves
  // a gap or lies beyond the horizon, and if there is no such slice. Reports of a slice that has
  // ended are accepted, because work that was done counts. Nothing is recorded after a value that
  // is not finite, nor of step 0, the value before training.
  Result<Reported> report(uint64_t slice, const Report& report);

  // Ends an open slice; one that has ended already is left alone. kReached before the target counts
  // as failed. A trial that is preempted kMostPreemptions times in a row without a new step has
  // failed: a process that is killed each time is most likely out of memory.
  Status end_slice(uint64_t slice, const SliceEnd& end);

  // Counts the time that has passed; to be called at least every kLongestGap seconds while anything
  // runs. More than that between two calls counts as kLongestGap: the machine was asleep.
  Status tick();
  // Seconds until the wall limit; absent = no limit. Slices still open at 0 are to be preempted.
  std::optional<double> wall_left() const;

  // The checkpoint of a trial as found on disk after a slice; 0 bytes = it is gone, and a trial
  // that needs it is dropped.
  Status set_checkpoint(uint32_t trial, uint64_t bytes);
  // What to delete to hold limits.disk; empty without one. Call set_checkpoint(trial, 0) *before*
  // deleting: a crash in between leaves a useless file, not a trial without its checkpoint.
  EvictionPlan evictions() const;

  const StudyFile& file() const { return file_; }
  const Facts& facts() const { return facts_; }
  // The last decision of ask(), as stored; null before the first.
  const Json& last_decision() const { return last_decision_; }
  // After a stop.
  Result<Receipt> receipt() const;

 private:
  Study(StudyFile file, const StudyContext& context, Facts facts, curves::CurveTable pool);

  Status recover();
  // The state that a trial has without an open slice, after what was recorded of it.
  TrialState resting_state(uint32_t trial) const;
  Status settle(uint32_t trial);
  Status end_as(const Slice& slice, const SliceEnd& end);
  uint32_t preemptions_in_a_row(uint32_t trial) const;  // without a step, of ended slices

  Status follow(Wish wish);
  Status accept_queue();
  Status refine();
  std::optional<Stop> reached_limit() const;
  std::optional<Stop> nothing_left() const;
  uint64_t epochs_left() const;
  std::optional<uint32_t> first_choice() const;
  Result<Answer> ask_policy(const Situation& situation);
  uint32_t slice_steps(uint32_t trial, uint32_t most, const Situation& situation) const;
  Result<Answer> train(uint32_t trial, uint32_t steps, const Situation& situation, Json decision);
  Result<Answer> stop(const std::string& reason, Json decision);

  StudyFile file_;
  Storage& storage_;
  const Clock& clock_;
  PolicyFactory policy_;
  Facts facts_;
  curves::CurveTable pool_;    // row = trial
  std::vector<double> gains_;  // of each trial, as of the last choice; for evictions()
  Json last_decision_;
  double ticked_;      // monotonic
  double saved_wall_;  // what the storage has of wall_seconds
};

inline constexpr uint32_t kMostFirstFailures = 3;
inline constexpr uint32_t kMostPreemptions = 3;
inline constexpr double kLongestGap = 60.0;  // s

}  // namespace cmbo::study
