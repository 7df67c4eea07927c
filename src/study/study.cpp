// SPDX-License-Identifier: Apache-2.0
//
// Beginning and going on, reports, and the ends of slices. What to do next is in study_ask.cpp.
#include "study/study.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <set>
#include <utility>

#include "space/pool.h"

namespace cmbo::study {

namespace {

constexpr double kSaveEvery = 1.0;  // s of wall time that a crash may forget

Trial make_trial(const StudyFile& file, const space::Configuration& configuration, size_t number,
                 TrialOrigin origin) {
  return {.number = static_cast<uint32_t>(number),
          .parameters = file.space.configuration_to_json(configuration),
          .origin = origin};
}

std::vector<Trial> make_trials(const StudyFile& file) {
  std::vector<Trial> trials;
  const auto first = file.space.default_configuration();
  if (first) trials.push_back(make_trial(file, *first, 0, TrialOrigin::kDefault));
  for (const auto& configuration : space::sobol_pool(file.space, file.pool, file.seed)) {
    if (trials.size() >= file.pool) break;
    if (first && configuration == *first) continue;
    trials.push_back(make_trial(file, configuration, trials.size(), TrialOrigin::kPool));
  }
  return trials;
}

// The configurations that a pool has beyond those that there are, when it became larger.
Status grow_pool(const StudyFile& file, Storage& storage) {
  CMBO_TRY(const std::vector<Trial> trials, storage.trials());
  std::set<std::string> known;
  for (const Trial& trial : trials) known.insert(trial.parameters.dump());
  std::vector<Trial> added;
  for (Trial& trial : make_trials(file)) {
    if (known.contains(trial.parameters.dump())) continue;
    trial.number = static_cast<uint32_t>(trials.size() + added.size());
    added.push_back(std::move(trial));
  }
  return added.empty() ? Status() : storage.extend(added);
}

// The study of the storage, begun if there is none.
Result<StudyRecord> begin_or_continue(const StudyFile& file, const std::string& definition,
                                      const StudyContext& context) {
  CMBO_TRY(std::optional<StudyRecord> record, context.storage.study());
  if (!record) {
    record = StudyRecord{.definition = definition, .created_at = context.clock.wall_seconds()};
    CMBO_RETURN_IF_ERROR(context.storage.create(*record, make_trials(file)));
    return *record;
  }
  const auto before = study_file_from_yaml(record->definition);
  if (!before.ok()) return before.error().within("the stored study file");
  CMBO_RETURN_IF_ERROR(check_continues(*before, file));
  // Before the new file is kept: a crash in between only makes it look again.
  if (file.pool > before->pool) CMBO_RETURN_IF_ERROR(grow_pool(file, context.storage));
  record->definition = definition;
  record->state = StudyState::kRunning;
  record->reason.clear();
  CMBO_RETURN_IF_ERROR(context.storage.save(*record));
  return *record;
}

double sane_seconds(double seconds) {
  return std::isfinite(seconds) ? std::max(0.0, seconds) : 0.0;
}

}  // namespace

Study::Study(StudyFile file, const StudyContext& context, Facts facts, curves::CurveTable pool)
    : file_(std::move(file)),
      storage_(context.storage),
      clock_(context.clock),
      policy_(context.policy),
      facts_(std::move(facts)),
      pool_(std::move(pool)),
      ticked_(clock_.monotonic_seconds()),
      saved_wall_(facts_.study().wall_seconds) {}

Result<Study> Study::open(const StudyFile& file, const std::string& definition,
                          const StudyContext& context) {
  CMBO_TRY(const StudyRecord record, begin_or_continue(file, definition, context));
  CMBO_RETURN_IF_ERROR(context.storage.set_wish(Wish::kRun));
  CMBO_TRY(Facts facts, Facts::load(context.storage));
  CMBO_TRY(curves::CurveTable pool, encode_pool(file, facts));
  Study study(file, context, std::move(facts), std::move(pool));
  CMBO_RETURN_IF_ERROR(study.recover());
  return study;
}

Status Study::recover() {
  for (const Slice* slice : facts_.open_slices()) {
    // By value: ending it replaces it.
    CMBO_RETURN_IF_ERROR(end_as(Slice(*slice), {Outcome::kLost, "cmbo went away meanwhile", 0.0}));
  }
  // A late report may have been recorded without what follows for its trial.
  for (uint32_t trial = 0; trial < facts_.trials().size(); ++trial) {
    CMBO_RETURN_IF_ERROR(settle(trial));
  }
  return {};
}

TrialState Study::resting_state(uint32_t trial) const {
  const Observation* last = facts_.last(trial);
  if (last == nullptr) return TrialState::kNew;
  if (std::isnan(last->value)) return TrialState::kDiverged;
  return last->step >= file_.fidelity.max ? TrialState::kDone : TrialState::kFrozen;
}

// Moves a trial without an open slice to where its reports have brought it.
Status Study::settle(uint32_t number) {
  Trial trial = facts_.trials()[number];
  const TrialState state = resting_state(number);
  if (!is_open(trial.state) || trial.state == state) return {};
  move_to(trial, TrialState::kRunning);
  move_to(trial, state);
  CMBO_RETURN_IF_ERROR(storage_.save(trial));
  facts_.put(trial);
  return {};
}

Result<Reported> Study::report(uint64_t id, const Report& report) {
  CMBO_RETURN_IF_ERROR(tick());
  const Slice* slice = facts_.find_slice(id);
  if (slice == nullptr) return Error(fmt::format("there is no slice {}", id));
  const uint32_t trial = slice->trial, target = slice->to;
  if (report.step > file_.fidelity.max) {
    return Error(fmt::format("trial {}: step {} was reported, but fidelity.max is {}; stop there",
                             trial, report.step, file_.fidelity.max));
  }
  const Observation* last = facts_.last(trial);
  const bool diverged = last != nullptr && std::isnan(last->value);
  if (report.step == 0 || (diverged && report.step > last->step)) {
    return Reported{Recorded::kKnown, !diverged};
  }
  const Observation observation{.trial = trial,
                                .step = report.step,
                                .value = std::isfinite(report.value)
                                             ? report.value
                                             : std::numeric_limits<double>::quiet_NaN(),
                                .seconds = sane_seconds(report.seconds),
                                .slice = id};
  CMBO_TRY(const Recorded recorded, storage_.record(observation));
  if (recorded == Recorded::kNew) {
    facts_.add(observation);
    CMBO_RETURN_IF_ERROR(settle(trial));
  }
  if (recorded == Recorded::kConflict) facts_.add_conflict(observation);
  return Reported{recorded, !std::isnan(facts_.last(trial)->value) && report.step < target};
}

Status Study::end_slice(uint64_t id, const SliceEnd& end) {
  CMBO_RETURN_IF_ERROR(tick());
  const Slice* slice = facts_.find_slice(id);
  if (slice == nullptr) return Error(fmt::format("there is no slice {}", id));
  if (slice->outcome) return {};
  SliceEnd seen = end;
  const uint32_t steps = facts_.steps(slice->trial);
  if (end.outcome == Outcome::kReached && steps < slice->to) {
    seen.outcome = Outcome::kFailed;
    seen.text = fmt::format(
        "the command ended at step {} although it was to train up to step {}; let it stop after "
        "CMBO_TARGET_STEP and report every step",
        steps, slice->to);
  }
  return end_as(Slice(*slice), seen);
}

uint32_t Study::preemptions_in_a_row(uint32_t trial) const {
  uint32_t count = 0;
  for (const Slice& slice : facts_.slices()) {
    if (slice.trial != trial || !slice.outcome || slice.outcome == Outcome::kLost) continue;
    const bool in_vain = slice.from == facts_.steps(trial);
    count = in_vain && slice.outcome == Outcome::kPreempted ? count + 1 : 0;
  }
  return count;
}

Status Study::end_as(const Slice& open, const SliceEnd& end) {
  Slice slice = open;
  Trial trial = facts_.trials()[slice.trial];
  TrialState state = resting_state(trial.number);
  slice.outcome = state == TrialState::kDiverged ? Outcome::kDiverged : end.outcome;
  slice.note = end.text;
  slice.seconds = sane_seconds(end.seconds);
  const bool finished = state == TrialState::kDone || state == TrialState::kDiverged;
  if (slice.outcome == Outcome::kDiverged) state = TrialState::kDiverged;
  const bool failed = slice.outcome == Outcome::kFailed || slice.outcome == Outcome::kTimedOut;
  if (failed && !finished) state = TrialState::kFailed;
  std::string note = failed || state == TrialState::kDiverged ? end.text : "";
  if (slice.outcome == Outcome::kPreempted && slice.from == facts_.steps(trial.number) &&
      preemptions_in_a_row(trial.number) + 1 >= kMostPreemptions) {
    state = TrialState::kFailed;
    note = fmt::format("was ended {} times in a row before it reported a step; out of memory? {}",
                       kMostPreemptions, end.text);
  }
  move_to(trial, state, std::move(note));
  CMBO_RETURN_IF_ERROR(storage_.end(slice, trial));
  facts_.put(slice);
  facts_.put(trial);
  return {};
}

Status Study::tick() {
  const double now = clock_.monotonic_seconds();
  const double passed = std::clamp(now - std::exchange(ticked_, now), 0.0, kLongestGap);
  StudyRecord& study = facts_.mutable_study();
  const bool idle = study.state != StudyState::kRunning && facts_.open_slices().empty();
  if (!idle) study.wall_seconds += passed;
  if (study.wall_seconds - saved_wall_ < kSaveEvery) return {};
  CMBO_RETURN_IF_ERROR(storage_.save(study));
  saved_wall_ = study.wall_seconds;
  return {};
}

std::optional<double> Study::wall_left() const {
  if (!file_.limits.wall) return std::nullopt;
  return std::max(0.0, *file_.limits.wall - facts_.study().wall_seconds);
}

Status Study::set_checkpoint(uint32_t number, uint64_t bytes) {
  if (number >= facts_.trials().size()) return Error(fmt::format("there is no trial {}", number));
  Trial trial = facts_.trials()[number];
  trial.checkpoint_bytes = bytes == 0 ? std::nullopt : std::optional(bytes);
  if (bytes == 0 && trial.state == TrialState::kFrozen) {
    move_to(trial, TrialState::kDropped, "its checkpoint is gone");
  }
  if (trial == facts_.trials()[number]) return {};
  CMBO_RETURN_IF_ERROR(storage_.save(trial));
  facts_.put(trial);
  return {};
}

EvictionPlan Study::evictions() const {
  const uint64_t quota = file_.limits.disk.value_or(std::numeric_limits<uint64_t>::max());
  return plan_evictions(file_, facts_, gains_, quota);
}

Result<Receipt> Study::receipt() const {
  return make_receipt(file_, facts_, policy_);
}

}  // namespace cmbo::study
