// SPDX-License-Identifier: Apache-2.0
//
// SqliteStorage: what is read.
#include <fmt/format.h>
#include <utility>

#include "storage/sqlite_storage.h"

namespace cmbo::storage {

using study::DecisionRecord;
using study::Observation;
using study::QueuedConfiguration;
using study::Recorded;
using study::Slice;
using study::StudyRecord;
using study::Trial;
using study::Wish;

Error SqliteStorage::damaged(const char* table, const std::string& what) const {
  return Error(fmt::format("{}: the table '{}' holds '{}', which no cmbo wrote; restore a backup",
                           database_.path().string(), table, what));
}

Result<std::optional<StudyRecord>> SqliteStorage::study() {
  CMBO_TRY(Statement row, database_.prepare("SELECT definition, created_at, state, reason, "
                                            "wall_seconds FROM study"));
  CMBO_TRY(const bool found, row.next());
  if (!found) return std::optional<StudyRecord>();
  StudyRecord study;
  study.definition = row.text();
  study.created_at = row.real();
  const std::string name = row.text();
  const auto state = study::study_state_from_name(name);
  if (!state) return damaged("study", name);
  study.state = *state;
  study.reason = row.text();
  study.wall_seconds = row.real();
  return std::optional(std::move(study));
}

Result<std::vector<Trial>> SqliteStorage::trials() {
  CMBO_TRY(Statement row, database_.prepare("SELECT number, parameters, origin, state, note, "
                                            "checkpoint_bytes FROM trials ORDER BY number"));
  std::vector<Trial> trials;
  for (;;) {
    CMBO_TRY(const bool found, row.next());
    if (!found) return trials;
    Trial& trial = trials.emplace_back();
    trial.number = static_cast<uint32_t>(row.integer());
    const std::string parameters = row.text(), origin_text = row.text(), state_text = row.text();
    auto json = parse_json(parameters);
    const auto origin = study::trial_origin_from_name(origin_text);
    const auto state = study::trial_state_from_name(state_text);
    if (!json.ok()) return damaged("trials", parameters);
    if (trial.number + 1 != trials.size()) return damaged("trials", "a gap");
    if (!origin) return damaged("trials", origin_text);
    if (!state) return damaged("trials", state_text);
    trial.parameters = std::move(json).value();
    trial.origin = *origin;
    trial.state = *state;
    trial.note = row.text();
    if (!row.is_null()) trial.checkpoint_bytes = static_cast<uint64_t>(row.integer());
  }
}

Result<std::vector<Slice>> SqliteStorage::slices() {
  CMBO_TRY(Statement row,
           database_.prepare("SELECT id, trial, from_step, to_step, expected_cost, started_at, "
                             "note, seconds, outcome FROM slices ORDER BY id"));
  std::vector<Slice> slices;
  for (;;) {
    CMBO_TRY(const bool found, row.next());
    if (!found) return slices;
    Slice& slice = slices.emplace_back();
    slice.id = static_cast<uint64_t>(row.integer());
    slice.trial = static_cast<uint32_t>(row.integer());
    slice.from = static_cast<uint32_t>(row.integer());
    slice.to = static_cast<uint32_t>(row.integer());
    slice.expected_cost = row.real();
    slice.started_at = row.real();
    slice.note = row.text();
    slice.seconds = row.real();
    if (slice.id != slices.size()) return damaged("slices", "a gap");
    if (row.is_null()) continue;
    const std::string name = row.text();
    slice.outcome = study::outcome_from_name(name);
    if (!slice.outcome) return damaged("slices", name);
  }
}

Result<std::vector<Observation>> SqliteStorage::conflicts() {
  CMBO_TRY(Statement row, database_.prepare("SELECT trial, step, value, slice FROM conflicts "
                                            "ORDER BY trial, step"));
  std::vector<Observation> conflicts;
  for (;;) {
    CMBO_TRY(const bool found, row.next());
    if (!found) return conflicts;
    Observation& conflict = conflicts.emplace_back();
    conflict.trial = static_cast<uint32_t>(row.integer());
    conflict.step = static_cast<uint32_t>(row.integer());
    conflict.value = row.real();
    conflict.slice = static_cast<uint64_t>(row.integer());
  }
}

Result<std::vector<Observation>> SqliteStorage::observations() {
  CMBO_TRY(Statement row, database_.prepare("SELECT trial, step, value, seconds, slice "
                                            "FROM observations ORDER BY id"));
  std::vector<Observation> observations;
  for (;;) {
    CMBO_TRY(const bool found, row.next());
    if (!found) return observations;
    Observation& observation = observations.emplace_back();
    observation.trial = static_cast<uint32_t>(row.integer());
    observation.step = static_cast<uint32_t>(row.integer());
    observation.value = row.real();
    observation.seconds = row.real();
    observation.slice = static_cast<uint64_t>(row.integer());
  }
}

Result<std::vector<DecisionRecord>> SqliteStorage::decisions() {
  CMBO_TRY(Statement row,
           database_.prepare("SELECT id, at, what, trial FROM decisions ORDER BY id"));
  std::vector<DecisionRecord> decisions;
  for (;;) {
    CMBO_TRY(const bool found, row.next());
    if (!found) return decisions;
    DecisionRecord& decision = decisions.emplace_back();
    decision.id = static_cast<uint64_t>(row.integer());
    decision.at = row.real();
    const std::string what = row.text();
    auto json = parse_json(what);
    if (!json.ok()) return damaged("decisions", what);
    decision.what = std::move(json).value();
    if (!row.is_null()) decision.trial = static_cast<uint32_t>(row.integer());
  }
}

Result<std::optional<Recorded>> SqliteStorage::find(const Observation& observation) {
  CMBO_TRY(Statement row,
           database_.prepare("SELECT value FROM observations WHERE trial = ? AND step = ?"));
  row.bind(int64_t{observation.trial}).bind(int64_t{observation.step});
  CMBO_TRY(const bool found, row.next());
  if (!found) return std::optional<Recorded>();
  return std::optional(study::same_value(row.real(), observation.value) ? Recorded::kKnown
                                                                        : Recorded::kConflict);
}

Result<uint32_t> SqliteStorage::last_step(uint32_t trial) {
  CMBO_TRY(Statement row, database_.prepare("SELECT max(step) FROM observations WHERE trial = ?"));
  row.bind(int64_t{trial});
  CMBO_RETURN_IF_ERROR(row.next());
  return static_cast<uint32_t>(row.integer());  // NULL reads as 0
}

Result<Wish> SqliteStorage::wish() {
  CMBO_TRY(Statement row, database_.prepare("SELECT wish FROM wish"));
  CMBO_TRY(const bool found, row.next());
  if (!found) return Wish::kRun;
  const std::string name = row.text();
  const auto wish = study::wish_from_name(name);
  if (!wish) return damaged("wish", name);
  return *wish;
}

Result<std::vector<QueuedConfiguration>> SqliteStorage::queue() {
  CMBO_TRY(Statement row, database_.prepare("SELECT id, parameters FROM queue ORDER BY id"));
  std::vector<QueuedConfiguration> queue;
  for (;;) {
    CMBO_TRY(const bool found, row.next());
    if (!found) return queue;
    QueuedConfiguration& queued = queue.emplace_back();
    queued.id = static_cast<uint64_t>(row.integer());
    const std::string parameters = row.text();
    auto json = parse_json(parameters);
    if (!json.ok()) return damaged("queue", parameters);
    queued.parameters = std::move(json).value();
  }
}

}  // namespace cmbo::storage
