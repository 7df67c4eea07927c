// SPDX-License-Identifier: Apache-2.0
#include "storage/schema.h"

#include <array>
#include <fmt/format.h>

namespace cmbo::storage {

namespace {

constexpr int64_t kApplicationId = 0x636d626f;  // "cmbo"

// Never changed once released: a new version is a new entry.
const std::array<std::string, 2>& all_migrations() {
  static const std::array<std::string, 2> steps = {R"(
CREATE TABLE study (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  definition TEXT NOT NULL,
  created_at REAL NOT NULL,
  state TEXT NOT NULL,
  reason TEXT NOT NULL,
  wall_seconds REAL NOT NULL
);
CREATE TABLE wish (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  wish TEXT NOT NULL
);
CREATE TABLE trials (
  number INTEGER PRIMARY KEY,
  parameters TEXT NOT NULL,
  origin TEXT NOT NULL,
  state TEXT NOT NULL,
  note TEXT NOT NULL,
  checkpoint_bytes INTEGER
);
CREATE TABLE slices (
  id INTEGER PRIMARY KEY,
  trial INTEGER NOT NULL REFERENCES trials (number),
  from_step INTEGER NOT NULL,
  to_step INTEGER NOT NULL,
  expected_cost REAL NOT NULL,
  started_at REAL NOT NULL,
  outcome TEXT,
  note TEXT NOT NULL,
  seconds REAL NOT NULL
);
CREATE TABLE observations (
  id INTEGER PRIMARY KEY,
  trial INTEGER NOT NULL REFERENCES trials (number),
  step INTEGER NOT NULL,
  value REAL,
  seconds REAL NOT NULL,
  slice INTEGER NOT NULL REFERENCES slices (id),
  UNIQUE (trial, step)
);
CREATE TABLE decisions (
  id INTEGER PRIMARY KEY,
  at REAL NOT NULL,
  trial INTEGER REFERENCES trials (number),
  what TEXT NOT NULL
);
CREATE TABLE queue (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  parameters TEXT NOT NULL
);
)",
                                                   // Trials may be 'refined' from here on.
                                                   R"(
CREATE TABLE conflicts (
  trial INTEGER NOT NULL REFERENCES trials (number),
  step INTEGER NOT NULL,
  value REAL,
  slice INTEGER NOT NULL REFERENCES slices (id),
  PRIMARY KEY (trial, step)
);
)"};
  return steps;
}

Status check_ours(Database& database, int64_t version) {
  CMBO_TRY(const int64_t application, database.pragma("application_id"));
  if (application == kApplicationId) return {};
  CMBO_TRY(Statement tables, database.prepare("SELECT count(*) FROM sqlite_master"));
  CMBO_RETURN_IF_ERROR(tables.next());
  if (version == 0 && tables.integer() == 0) return {};
  return Error(fmt::format("{}: is the database of another program; give another directory",
                           database.path().string()));
}

}  // namespace

std::span<const std::string> migrations() {
  return all_migrations();
}

Status migrate(Database& database, std::span<const std::string> steps) {
  const auto newest = static_cast<int64_t>(steps.size());
  CMBO_TRY(int64_t version, database.pragma("user_version"));
  CMBO_RETURN_IF_ERROR(check_ours(database, version));
  if (version > newest) {
    return Error(fmt::format("{}: has version {}, this cmbo knows up to {}; use a newer cmbo",
                             database.path().string(), version, newest));
  }
  while (version < newest) {
    CMBO_TRY(Transaction transaction, Transaction::begin(database));
    // Somebody else may have been quicker.
    CMBO_TRY(version, database.pragma("user_version"));
    if (version >= newest) break;
    CMBO_RETURN_IF_ERROR(database.execute(steps[static_cast<size_t>(version)]));
    CMBO_RETURN_IF_ERROR(database.execute(fmt::format(
        "PRAGMA application_id = {}; PRAGMA user_version = {}", kApplicationId, version + 1)));
    CMBO_RETURN_IF_ERROR(transaction.commit());
    ++version;
  }
  return {};
}

}  // namespace cmbo::storage
