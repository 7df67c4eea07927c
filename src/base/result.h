// SPDX-License-Identifier: Apache-2.0
//
// Errors as values. What can fail for reasons outside the program (files, user input, weights)
// returns Result<T>; what only a bug can break is CHECKed (check.h). No exception crosses a folder.
#pragma once

#include <string>
#include <utility>
#include <variant>

#include "base/check.h"

namespace cmbo {

// Why something failed, in one sentence for the user: it names the file and line or the key, and
// ends with what to do about it.
class Error {
 public:
  explicit Error(std::string message) : message_(std::move(message)) {}

  const std::string& message() const { return message_; }

  // The same error seen from further out: "where: message".
  Error within(const std::string& where) const { return Error(where + ": " + message_); }

 private:
  std::string message_;
};

// A T or the Error that prevented it. Reading the wrong side is a bug and aborts.
template <typename T>
class [[nodiscard]] Result {
 public:
  // Implicit on purpose: `return value;` and `return Error("...");` both read naturally.
  Result(T value) : state_(std::move(value)) {}
  Result(Error error) : state_(std::move(error)) {}

  bool ok() const { return std::holds_alternative<T>(state_); }
  explicit operator bool() const { return ok(); }

  T& value() & {
    check_ok();
    return *std::get_if<T>(&state_);
  }
  const T& value() const& {
    check_ok();
    return *std::get_if<T>(&state_);
  }
  T&& value() && {
    check_ok();
    return std::move(*std::get_if<T>(&state_));
  }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  const Error& error() const {
    CHECK(!ok(), "error() of a Result that holds a value");
    return *std::get_if<Error>(&state_);
  }

 private:
  void check_ok() const {
    if (!ok()) CHECK(false, "value() of a failed Result: " + error().message());
  }

  std::variant<T, Error> state_;
};

// Success, or the Error that prevented it.
template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : error_(std::in_place_index<1>, std::move(error)) {}

  bool ok() const { return error_.index() == 0; }
  explicit operator bool() const { return ok(); }
  const Error& error() const {
    CHECK(!ok(), "error() of a Status that is ok");
    return *std::get_if<1>(&error_);
  }

 private:
  std::variant<std::monostate, Error> error_;
};

using Status = Result<void>;

}  // namespace cmbo

#define CMBO_CONCAT_INNER(a, b) a##b
#define CMBO_CONCAT(a, b) CMBO_CONCAT_INNER(a, b)

// CMBO_TRY(auto x, f()): x is the value of f(), or the enclosing function returns f()'s error.
#define CMBO_TRY(declaration, ...) \
  CMBO_TRY_NAMED(CMBO_CONCAT(cmbo_result_, __LINE__), declaration, __VA_ARGS__)
#define CMBO_TRY_NAMED(name, declaration, ...) \
  auto name = (__VA_ARGS__);                   \
  if (!name.ok()) return name.error();         \
  declaration = std::move(name).value()

// CMBO_RETURN_IF_ERROR(f()): the enclosing function returns f()'s error, if it has one.
#define CMBO_RETURN_IF_ERROR(...)                              \
  do {                                                         \
    if (auto cmbo_status = (__VA_ARGS__); !cmbo_status.ok()) { \
      return cmbo_status.error();                              \
    }                                                          \
  } while (false)
