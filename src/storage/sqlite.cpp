// SPDX-License-Identifier: Apache-2.0
#include "storage/sqlite.h"

#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <sqlite3.h>
#include <utility>

#include "base/check.h"

namespace cmbo::storage {

namespace {

constexpr int kBusyMilliseconds = 10'000;

std::string_view remedy(int code) {
  switch (code & 0xff) {
    case SQLITE_FULL:
      return "the disk is full; free some space and go on with the same command";
    case SQLITE_READONLY:
    case SQLITE_PERM:
      return "may not be written; check the permissions of the file and of its directory";
    case SQLITE_NOTADB:
      return "is not a study database; move it away, or give another directory";
    case SQLITE_CORRUPT:
      return "is damaged; restore it from a backup, or try sqlite3's .recover";
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return "is locked by another process; try again";
    case SQLITE_CANTOPEN:
      return "cannot be opened; check that its directory exists and may be written";
    case SQLITE_IOERR:
      return "cannot be read or written; check the disk";
    default:
      return "failed";
  }
}

}  // namespace

void Database::Close::operator()(sqlite3* connection) const {
  sqlite3_close_v2(connection);
}

void Statement::Finalize::operator()(sqlite3_stmt* statement) const {
  sqlite3_finalize(statement);
}

Error Database::error(int code) const {
  const char* detail = connection_ ? sqlite3_errmsg(connection_.get()) : sqlite3_errstr(code);
  return Error(fmt::format("{}: {} ({})", path_.string(), remedy(code), detail));
}

Result<Database> Database::open(const Path& path, bool create) {
  sqlite3* connection = nullptr;
  const int flags = SQLITE_OPEN_READWRITE | (create ? SQLITE_OPEN_CREATE : 0);
  const int code = sqlite3_open_v2(path.c_str(), &connection, flags, nullptr);
  Database database(path, connection);
  if (code != SQLITE_OK) return database.error(code);
  sqlite3_extended_result_codes(connection, 1);
  sqlite3_busy_timeout(connection, kBusyMilliseconds);
  return database;
}

Status Database::execute(const std::string& sql) {
  const int code = sqlite3_exec(connection_.get(), sql.c_str(), nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) return error(code);
  return {};
}

Result<Statement> Database::prepare(std::string_view sql) {
  sqlite3_stmt* statement = nullptr;
  const int code = sqlite3_prepare_v2(connection_.get(), sql.data(), static_cast<int>(sql.size()),
                                      &statement, nullptr);
  if (code != SQLITE_OK) return error(code);
  return Statement(*this, statement);
}

Result<int64_t> Database::pragma(const std::string& name) {
  CMBO_TRY(Statement statement, prepare("PRAGMA " + name));
  CMBO_TRY(const bool row, statement.next());
  return row ? statement.integer() : 0;
}

int64_t Database::last_id() const {
  return sqlite3_last_insert_rowid(connection_.get());
}

Statement& Statement::bind(int64_t value) {
  CHECK(sqlite3_bind_int64(statement_.get(), ++bound_, value) == SQLITE_OK, "a parameter too many");
  return *this;
}

Statement& Statement::bind(double value) {
  const int code = sqlite3_bind_double(statement_.get(), ++bound_, value);
  CHECK(code == SQLITE_OK, "a parameter too many");
  return *this;
}

Statement& Statement::bind(std::string_view text) {
  const int code = sqlite3_bind_text(statement_.get(), ++bound_, text.data(),
                                     static_cast<int>(text.size()), SQLITE_TRANSIENT);
  CHECK(code == SQLITE_OK, "a parameter too many, or a text too long");
  return *this;
}

Statement& Statement::bind_null() {
  CHECK(sqlite3_bind_null(statement_.get(), ++bound_) == SQLITE_OK, "a parameter too many");
  return *this;
}

Result<bool> Statement::next() {
  read_ = 0;
  const int code = sqlite3_step(statement_.get());
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  return database_->error(code);
}

Status Statement::run() {
  CMBO_TRY(const bool row, next());
  CHECK(!row, "a statement without rows");
  return {};
}

int64_t Statement::integer() {
  return sqlite3_column_int64(statement_.get(), read_++);
}

double Statement::real() {
  const double value = is_null() ? std::numeric_limits<double>::quiet_NaN()
                                 : sqlite3_column_double(statement_.get(), read_);
  ++read_;
  return value;
}

std::string Statement::text() {
  const auto* bytes = static_cast<const char*>(sqlite3_column_blob(statement_.get(), read_));
  const auto size = static_cast<size_t>(sqlite3_column_bytes(statement_.get(), read_));
  ++read_;
  return bytes == nullptr ? std::string() : std::string(bytes, size);
}

bool Statement::is_null() {
  return sqlite3_column_type(statement_.get(), read_) == SQLITE_NULL;
}

Result<Transaction> Transaction::begin(Database& database) {
  CMBO_RETURN_IF_ERROR(database.execute("BEGIN IMMEDIATE"));
  return Transaction(database);
}

Transaction::Transaction(Transaction&& other) noexcept
    : database_(std::exchange(other.database_, nullptr)) {}

Transaction::~Transaction() {
  // If even this fails, closing the connection undoes it.
  if (database_ != nullptr) (void)database_->execute("ROLLBACK");
}

Status Transaction::commit() {
  CMBO_RETURN_IF_ERROR(database_->execute("COMMIT"));
  database_ = nullptr;
  return {};
}

}  // namespace cmbo::storage
