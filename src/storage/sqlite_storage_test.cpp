// SPDX-License-Identifier: Apache-2.0
//
// What is SQLite's own: files that are not ours, versions, locks, full disks.
#include "storage/sqlite_storage.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/temporary_directory.h"
#include "storage/schema.h"
#include "study/facts.h"

namespace cmbo::storage {
namespace {

using study::StudyRecord;
using study::Trial;
using study::TrialState;
using testing::ElementsAre;
using testing::HasSubstr;

std::string open_error(const Path& path, const SqliteOptions& options = {}) {
  const auto storage = SqliteStorage::open(path, options);
  return storage.ok() ? "none" : storage.error().message();
}

TEST(SqliteStorageTest, RefusesWhatIsNotADatabase) {
  const TemporaryDirectory directory;
  const Path path = directory / "study.db";
  const std::string text(5000, 'x');
  ASSERT_TRUE(real_file_system().write_atomically(path, text).ok());
  EXPECT_THAT(open_error(path), HasSubstr("study.db: is not a study database; move it away"));
  EXPECT_EQ(read_file(real_file_system(), path, 10'000).value(), text) << "and leaves it alone";
}

TEST(SqliteStorageTest, RefusesTheDatabaseOfAnotherProgram) {
  const TemporaryDirectory directory;
  const Path path = directory / "study.db";
  ASSERT_TRUE(Database::open(path, true).value().execute("CREATE TABLE t (x)").ok());
  EXPECT_THAT(open_error(path), HasSubstr("another program"));
}

TEST(SqliteStorageTest, RefusesANewerVersion) {
  const TemporaryDirectory directory;
  const Path path = directory / "study.db";
  ASSERT_TRUE(SqliteStorage::open(path).ok());
  ASSERT_TRUE(Database::open(path, true).value().execute("PRAGMA user_version = 99").ok());
  EXPECT_THAT(open_error(path), HasSubstr("has version 99"));
  EXPECT_THAT(open_error(path), HasSubstr("use a newer cmbo"));
}

TEST(SqliteStorageTest, NamesADirectoryThatIsNotThere) {
  EXPECT_THAT(open_error("/nowhere/study.db"), HasSubstr("/nowhere/study.db"));
  EXPECT_THAT(open_error("/nowhere/study.db", {.access = Access::kVisit}),
              HasSubstr("begin it with cmbo tune"));
}

TEST(SqliteStorageTest, WhatMayNotBeWrittenIsSaid) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may write everything";
  const TemporaryDirectory directory;
  const Path path = directory / "study.db";
  ASSERT_TRUE(SqliteStorage::open(path).ok());
  ASSERT_EQ(::chmod(path.c_str(), 0444), 0);
  EXPECT_THAT(open_error(path), HasSubstr("may not be written"));
}

TEST(SqliteStorageTest, OnlyOneDrivesAndOthersVisit) {
  const TemporaryDirectory directory;
  const Path path = directory / "study.db";
  auto driver = SqliteStorage::open(path).value();
  EXPECT_THAT(open_error(path), HasSubstr("another cmbo is running this study"));
  ASSERT_TRUE(driver->create({}, std::vector<Trial>{{.number = 0}}).ok());
  {
    auto visitor = SqliteStorage::open(path, {.access = Access::kVisit}).value();
    ASSERT_TRUE(visitor->set_wish(study::Wish::kPause).ok());
    ASSERT_TRUE(visitor->enqueue({{"x", 1}}).ok());
    EXPECT_EQ(visitor->trials().value().size(), 1U);
  }
  EXPECT_EQ(driver->wish().value(), study::Wish::kPause);
  EXPECT_EQ(driver->queue().value().size(), 1U);
  driver.reset();
  EXPECT_EQ(open_error(path), "none");
}

TEST(SqliteStorageTest, EveryTransactionIsOnDisk) {
  const TemporaryDirectory directory;
  auto storage = SqliteStorage::open(directory / "study.db").value();
  EXPECT_EQ(storage->synchronous().value(), 2) << "FULL";
  Database other = Database::open(directory / "study.db", false).value();
  Statement mode = other.prepare("PRAGMA journal_mode").value();
  ASSERT_TRUE(mode.next().value());
  EXPECT_EQ(mode.text(), "wal");
  // A copy of the files as they are now, as after a power cut, has all that was acknowledged.
  ASSERT_TRUE(storage->create({.definition = "x"}, {}).ok());
  std::filesystem::copy(directory / "study.db", directory / "copy.db");
  std::filesystem::copy(directory / "study.db-wal", directory / "copy.db-wal");
  EXPECT_EQ(SqliteStorage::open(directory / "copy.db").value()->study().value()->definition, "x");
}

// A disk that holds 60 pages: every write either is there as a whole or is refused by name, and
// after space was made the study goes on.
TEST(SqliteStorageTest, AFullDiskLosesNothing) {
  const TemporaryDirectory directory;
  const Path path = directory / "study.db";
  size_t recorded = 0;
  {
    auto storage = SqliteStorage::open(path, {.max_pages = 60}).value();
    ASSERT_TRUE(storage->create({}, std::vector<Trial>{{.number = 0}}).ok());
    const Trial running{.number = 0, .state = TrialState::kRunning};
    const std::string long_text(2000, 'x');
    std::string problem;
    while (problem.empty()) {
      const auto id = storage->start({}, running, {.what = {{"reason", long_text}}});
      const auto last = static_cast<uint32_t>(recorded);
      const auto done = storage->record({0, last + 1, 0.5, 0.0, 1});
      if (done.ok()) ++recorded;
      if (!id.ok()) problem = id.error().message();
      ASSERT_LT(recorded, 1000U);
    }
    EXPECT_THAT(problem, HasSubstr("the disk is full; free some space"));
    EXPECT_GT(recorded, 10U);
  }
  auto storage = SqliteStorage::open(path).value();
  EXPECT_EQ(storage->observations().value().size(), recorded);
  EXPECT_EQ(storage->slices().value().size(), storage->decisions().value().size());
  EXPECT_TRUE(storage->record({0, static_cast<uint32_t>(recorded) + 1, 0.5, 0.0, 1}).ok());
}

TEST(SchemaTest, MigratesStepByStep) {
  const TemporaryDirectory directory;
  Database database = Database::open(directory / "a.db", true).value();
  const std::vector<std::string> steps = {"CREATE TABLE a (x); INSERT INTO a VALUES (1)",
                                          "ALTER TABLE a ADD COLUMN y; UPDATE a SET y = x + 1",
                                          "nonsense"};
  const std::span<const std::string> all(steps);
  ASSERT_TRUE(migrate(database, all.first(1)).ok());
  EXPECT_EQ(database.pragma("user_version").value(), 1);
  EXPECT_FALSE(migrate(database, all).ok());
  EXPECT_EQ(database.pragma("user_version").value(), 2) << "up to the step that failed";
  Statement row = database.prepare("SELECT y FROM a").value();
  ASSERT_TRUE(row.next().value());
  EXPECT_EQ(row.integer(), 2);
}

// A file of each released version stands in testdata; every cmbo reads all of them.
TEST(SchemaTest, OpensAFileOfVersion1) {
  const TemporaryDirectory directory;
  const Path path = directory / "study.db";
  std::filesystem::copy("src/storage/testdata/study_v1.db", path);
  auto storage = SqliteStorage::open(path).value();
  EXPECT_THAT(storage->study().value()->definition, HasSubstr("fidelity: {name: epoch, max: 4}"));
  const study::Facts facts = study::Facts::load(*storage).value();
  EXPECT_EQ(facts.trials().size(), 8U);
  EXPECT_EQ(facts.observations().size(), 5U);
  EXPECT_EQ(facts.slices().size(), 3U);
  EXPECT_EQ(facts.slices()[1].outcome, study::Outcome::kFailed);
  EXPECT_EQ(facts.trials()[0].checkpoint_bytes, 4096U);
  EXPECT_EQ(storage->wish().value(), study::Wish::kPause);
  EXPECT_EQ(storage->queue().value().size(), 1U);
  EXPECT_EQ(storage->decisions().value().size(), 3U);
}

}  // namespace
}  // namespace cmbo::storage
