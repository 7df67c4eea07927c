// SPDX-License-Identifier: Apache-2.0
//
// The little of SQLite that we use, with errors as values that name the file and the remedy.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/file_system.h"
#include "base/result.h"

struct sqlite3;
struct sqlite3_stmt;

namespace cmbo::storage {

class Statement;

// One connection. One thread at a time.
class Database {
 public:
  // A file that is not there is created if `create`, and an error otherwise.
  static Result<Database> open(const Path& path, bool create);

  // One or more statements without parameters and results.
  Status execute(const std::string& sql);
  // One statement, with a ? for each parameter.
  Result<Statement> prepare(std::string_view sql);
  Result<int64_t> pragma(const std::string& name);
  int64_t last_id() const;

  const Path& path() const { return path_; }
  // What went wrong last, by SQLite's code.
  Error error(int code) const;

 private:
  struct Close {
    void operator()(sqlite3* connection) const;
  };

  Database(const Path& path, sqlite3* connection) : path_(path), connection_(connection) {}

  Path path_;
  std::unique_ptr<sqlite3, Close> connection_;
};

// Parameters are bound from the left, columns are read from the left. Lives no longer than its
// database.
class Statement {
 public:
  Statement& bind(int64_t value);
  Statement& bind(double value);  // NaN becomes NULL
  Statement& bind(std::string_view text);
  Statement& bind_null();

  // True: a row is there to be read. False: the end.
  Result<bool> next();
  // For a statement that gives no rows.
  Status run();

  int64_t integer();
  double real();  // NULL becomes NaN
  std::string text();
  bool is_null();  // whether the next column is; does not go on to the one after it

 private:
  friend class Database;
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const;
  };

  Statement(const Database& database, sqlite3_stmt* statement)
      : database_(&database), statement_(statement) {}

  const Database* database_;
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
  int bound_ = 0;
  int read_ = 0;
};

// All or nothing: what is not committed is undone.
class Transaction {
 public:
  // Takes the right to write at once, so that it is not refused in the middle.
  static Result<Transaction> begin(Database& database);
  Transaction(Transaction&& other) noexcept;
  Transaction& operator=(Transaction&&) = delete;
  ~Transaction();

  Status commit();

 private:
  explicit Transaction(Database& database) : database_(&database) {}

  Database* database_;  // null: committed or moved away
};

}  // namespace cmbo::storage
