// SPDX-License-Identifier: Apache-2.0
//
// Opening and writing. Reading is in sqlite_reading.cpp.
#include "storage/sqlite_storage.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>
#include <utility>

#include "storage/schema.h"

namespace cmbo::storage {

using study::DecisionRecord;
using study::Observation;
using study::Recorded;
using study::Slice;
using study::StudyRecord;
using study::Trial;
using study::Wish;

namespace {

// The lock's file descriptor.
Result<int> lock_for_driving(const Path& path) {
  const std::string name = path.string() + "-driver";
  const int file = ::open(name.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (file < 0) {
    return Error(
        fmt::format("{}: cannot be created: {}; check that its directory exists and may "
                    "be written",
                    name, std::strerror(errno)));
  }
  if (::flock(file, LOCK_EX | LOCK_NB) == 0) return file;
  ::close(file);
  return Error(
      fmt::format("{}: another cmbo is running this study; wait for it, or end it with cmbo stop",
                  path.string()));
}

Status prepare_connection(Database& database, const SqliteOptions& options) {
  if (options.max_pages > 0) {
    CMBO_RETURN_IF_ERROR(
        database.execute(fmt::format("PRAGMA max_page_count={}", options.max_pages)));
  }
  CMBO_RETURN_IF_ERROR(database.execute(
      fmt::format("PRAGMA journal_mode=WAL; PRAGMA synchronous={}; PRAGMA foreign_keys=ON",
                  options.durable ? "FULL" : "OFF")));
  return migrate(database, migrations());
}

void bind_trial(Statement& statement, const Trial& trial) {
  statement.bind(int64_t{trial.number})
      .bind(trial.parameters.dump())
      .bind(study::origin_name(trial.origin))
      .bind(study::state_name(trial.state))
      .bind(trial.note);
  if (trial.checkpoint_bytes) {
    statement.bind(static_cast<int64_t>(*trial.checkpoint_bytes));
  } else {
    statement.bind_null();
  }
}

}  // namespace

Result<std::unique_ptr<SqliteStorage>> SqliteStorage::open(const Path& path,
                                                           const SqliteOptions& options) {
  const bool drives = options.access == Access::kDrive;
  if (!drives && !real_file_system().exists(path)) {
    return Error(fmt::format("{}: there is no study; begin it with cmbo tune", path.string()));
  }
  int lock = -1;
  if (drives) {
    CMBO_TRY(lock, lock_for_driving(path));
  }
  auto database = Database::open(path, drives);
  if (!database.ok()) {
    if (lock >= 0) ::close(lock);
    return database.error();
  }
  std::unique_ptr<SqliteStorage> storage(new SqliteStorage(std::move(database).value(), lock));
  CMBO_RETURN_IF_ERROR(prepare_connection(storage->database_, options));
  return storage;
}

SqliteStorage::~SqliteStorage() {
  if (lock_ >= 0) ::close(lock_);
}

Status SqliteStorage::put_study(const StudyRecord& study) {
  CMBO_TRY(Statement statement,
           database_.prepare("REPLACE INTO study (id, definition, created_at, state, reason, "
                             "wall_seconds) VALUES (1, ?, ?, ?, ?, ?)"));
  statement.bind(study.definition)
      .bind(study.created_at)
      .bind(study::state_name(study.state))
      .bind(study.reason)
      .bind(study.wall_seconds);
  return statement.run();
}

Status SqliteStorage::put_trial(const Trial& trial) {
  CMBO_TRY(Statement statement,
           database_.prepare("INSERT INTO trials (number, parameters, origin, state, note, "
                             "checkpoint_bytes) VALUES (?, ?, ?, ?, ?, ?) "
                             "ON CONFLICT (number) DO UPDATE SET parameters = excluded.parameters, "
                             "origin = excluded.origin, state = excluded.state, "
                             "note = excluded.note, checkpoint_bytes = excluded.checkpoint_bytes"));
  bind_trial(statement, trial);
  return statement.run();
}

Status SqliteStorage::put_slice(const Slice& slice) {
  CMBO_TRY(Statement statement,
           database_.prepare("UPDATE slices SET outcome = ?, note = ?, seconds = ? WHERE id = ?"));
  if (slice.outcome) {
    statement.bind(study::outcome_name(*slice.outcome));
  } else {
    statement.bind_null();
  }
  statement.bind(slice.note).bind(slice.seconds).bind(static_cast<int64_t>(slice.id));
  return statement.run();
}

Status SqliteStorage::put_decision(const DecisionRecord& decision) {
  CMBO_TRY(Statement statement,
           database_.prepare("INSERT INTO decisions (at, what, trial) VALUES (?, ?, ?)"));
  statement.bind(decision.at).bind(decision.what.dump());
  if (decision.trial) {
    statement.bind(int64_t{*decision.trial});
  } else {
    statement.bind_null();
  }
  return statement.run();
}

Status SqliteStorage::put_conflict(const Observation& observation) {
  CMBO_TRY(Statement statement,
           database_.prepare("INSERT OR IGNORE INTO conflicts (trial, step, value, slice) "
                             "VALUES (?, ?, ?, ?)"));
  statement.bind(int64_t{observation.trial}).bind(int64_t{observation.step});
  statement.bind(observation.value).bind(static_cast<int64_t>(observation.slice));
  return statement.run();
}

Status SqliteStorage::create(const StudyRecord& study, std::span<const Trial> trials) {
  CMBO_TRY(Transaction transaction, Transaction::begin(database_));
  CMBO_TRY(const auto known, this->study());
  if (known) {
    return Error(
        fmt::format("{}: there is a study already; open it instead", database_.path().string()));
  }
  CMBO_RETURN_IF_ERROR(put_study(study));
  for (const Trial& trial : trials) CMBO_RETURN_IF_ERROR(put_trial(trial));
  return transaction.commit();
}

Status SqliteStorage::save(const StudyRecord& study) {
  return put_study(study);
}

Status SqliteStorage::save(const Trial& trial) {
  return put_trial(trial);
}

Status SqliteStorage::extend(std::span<const Trial> trials) {
  CMBO_TRY(Transaction transaction, Transaction::begin(database_));
  for (const Trial& trial : trials) CMBO_RETURN_IF_ERROR(put_trial(trial));
  return transaction.commit();
}

Result<uint64_t> SqliteStorage::start(const Slice& slice, const Trial& trial,
                                      const DecisionRecord& decision) {
  CMBO_TRY(Transaction transaction, Transaction::begin(database_));
  CMBO_RETURN_IF_ERROR(put_trial(trial));
  CMBO_TRY(Statement statement,
           database_.prepare("INSERT INTO slices (trial, from_step, to_step, expected_cost, "
                             "started_at, note, seconds) VALUES (?, ?, ?, ?, ?, ?, ?)"));
  statement.bind(int64_t{slice.trial}).bind(int64_t{slice.from}).bind(int64_t{slice.to});
  statement.bind(slice.expected_cost).bind(slice.started_at).bind(slice.note).bind(slice.seconds);
  CMBO_RETURN_IF_ERROR(statement.run());
  const auto id = static_cast<uint64_t>(database_.last_id());
  CMBO_RETURN_IF_ERROR(put_decision(decision));
  CMBO_RETURN_IF_ERROR(transaction.commit());
  return id;
}

Result<Recorded> SqliteStorage::record(const Observation& observation) {
  CMBO_TRY(Transaction transaction, Transaction::begin(database_));
  CMBO_TRY(const std::optional<Recorded> known, find(observation));
  if (known == Recorded::kConflict) {
    CMBO_RETURN_IF_ERROR(put_conflict(observation));
    CMBO_RETURN_IF_ERROR(transaction.commit());
  }
  if (known) return *known;
  CMBO_TRY(const uint32_t last, last_step(observation.trial));
  if (observation.step != last + 1) return study::gap_error(observation, last);
  CMBO_TRY(Statement statement,
           database_.prepare("INSERT INTO observations (trial, step, value, seconds, slice) "
                             "VALUES (?, ?, ?, ?, ?)"));
  statement.bind(int64_t{observation.trial}).bind(int64_t{observation.step});
  statement.bind(observation.value).bind(observation.seconds);
  statement.bind(static_cast<int64_t>(observation.slice));
  CMBO_RETURN_IF_ERROR(statement.run());
  CMBO_RETURN_IF_ERROR(transaction.commit());
  return Recorded::kNew;
}

Status SqliteStorage::end(const Slice& slice, const Trial& trial) {
  CMBO_TRY(Transaction transaction, Transaction::begin(database_));
  CMBO_RETURN_IF_ERROR(put_slice(slice));
  CMBO_RETURN_IF_ERROR(put_trial(trial));
  return transaction.commit();
}

Status SqliteStorage::add(const DecisionRecord& decision, const StudyRecord& study) {
  CMBO_TRY(Transaction transaction, Transaction::begin(database_));
  CMBO_RETURN_IF_ERROR(put_decision(decision));
  CMBO_RETURN_IF_ERROR(put_study(study));
  return transaction.commit();
}

Status SqliteStorage::set_wish(Wish wish) {
  CMBO_TRY(Statement statement, database_.prepare("REPLACE INTO wish (id, wish) VALUES (1, ?)"));
  return statement.bind(study::wish_name(wish)).run();
}

Result<uint64_t> SqliteStorage::enqueue(const Json& parameters) {
  CMBO_TRY(Statement statement, database_.prepare("INSERT INTO queue (parameters) VALUES (?)"));
  CMBO_RETURN_IF_ERROR(statement.bind(parameters.dump()).run());
  return static_cast<uint64_t>(database_.last_id());
}

Status SqliteStorage::accept(uint64_t queued, const Trial& trial) {
  CMBO_TRY(Transaction transaction, Transaction::begin(database_));
  CMBO_TRY(Statement statement, database_.prepare("DELETE FROM queue WHERE id = ?"));
  CMBO_RETURN_IF_ERROR(statement.bind(static_cast<int64_t>(queued)).run());
  CMBO_RETURN_IF_ERROR(put_trial(trial));
  return transaction.commit();
}

}  // namespace cmbo::storage
