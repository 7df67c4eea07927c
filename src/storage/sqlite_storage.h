// SPDX-License-Identifier: Apache-2.0
//
// A study in one SQLite file: write-ahead log, every transaction on disk before it is acknowledged.
// Not for network file systems.
#pragma once

#include <memory>

#include "base/file_system.h"
#include "base/result.h"
#include "storage/sqlite.h"
#include "study/storage.h"

namespace cmbo::storage {

enum class Access {
  kDrive,  // runs the study; begins it where there is none. One process at a time
  kVisit,  // looks on, wishes and enqueues; the file must be there
};

struct SqliteOptions {
  Access access = Access::kDrive;
  uint32_t max_pages = 0;  // more is refused like a full disk; 0 = as many as fit
  // False: what was acknowledged survives the end of the process, but not that of the machine. For
  // simulations, which would wait for the disk most of the time.
  bool durable = true;
};

class SqliteStorage : public study::Storage {
 public:
  // The driver holds a lock on `path` + "-driver", which the system lets go when the process ends,
  // however it ends. Migrates an older file.
  static Result<std::unique_ptr<SqliteStorage>> open(const Path& path,
                                                     const SqliteOptions& options = {});
  ~SqliteStorage() override;
  SqliteStorage(const SqliteStorage&) = delete;
  SqliteStorage& operator=(const SqliteStorage&) = delete;

  // SQLite's own number of how it waits for the disk: 2 = after every transaction, 0 = never.
  Result<int64_t> synchronous() { return database_.pragma("synchronous"); }

  Result<std::optional<study::StudyRecord>> study() override;
  Status create(const study::StudyRecord& study, std::span<const study::Trial> trials) override;
  Status save(const study::StudyRecord& study) override;

  Result<std::vector<study::Trial>> trials() override;
  Result<std::vector<study::Slice>> slices() override;
  Result<std::vector<study::Observation>> observations() override;
  Result<std::vector<study::DecisionRecord>> decisions() override;
  Result<std::vector<study::Observation>> conflicts() override;

  Status save(const study::Trial& trial) override;
  Status extend(std::span<const study::Trial> trials) override;
  Result<uint64_t> start(const study::Slice& slice, const study::Trial& trial,
                         const study::DecisionRecord& decision) override;
  Result<study::Recorded> record(const study::Observation& observation) override;
  Status end(const study::Slice& slice, const study::Trial& trial) override;
  Status add(const study::DecisionRecord& decision, const study::StudyRecord& study) override;

  Result<study::Wish> wish() override;
  Status set_wish(study::Wish wish) override;
  Result<std::vector<study::QueuedConfiguration>> queue() override;
  Result<uint64_t> enqueue(const Json& parameters) override;
  Status accept(uint64_t queued, const study::Trial& trial) override;

 private:
  SqliteStorage(Database database, int lock) : database_(std::move(database)), lock_(lock) {}

  // Within the caller's transaction.
  Status put_study(const study::StudyRecord& study);
  Status put_trial(const study::Trial& trial);
  Status put_slice(const study::Slice& slice);
  Status put_decision(const study::DecisionRecord& decision);
  Status put_conflict(const study::Observation& observation);
  Result<std::optional<study::Recorded>> find(const study::Observation& observation);
  Result<uint32_t> last_step(uint32_t trial);

  Error damaged(const char* table, const std::string& what) const;

  Database database_;
  int lock_;  // -1 for a visitor
};

}  // namespace cmbo::storage
