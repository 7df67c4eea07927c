// SPDX-License-Identifier: Apache-2.0
#include "base/json.h"

#include <fmt/format.h>
#include <string>
#include <vector>

namespace cmbo {

namespace {

// Builds the value while it is parsed, so that a duplicate key or a too deep nesting ends it early.
class StrictBuilder : public nlohmann::json_sax<Json> {
 public:
  bool null() override { return add(nullptr); }
  bool boolean(bool value) override { return add(value); }
  bool number_integer(number_integer_t value) override { return add(value); }
  bool number_unsigned(number_unsigned_t value) override { return add(value); }
  bool number_float(number_float_t value, const string_t&) override { return add(value); }
  bool string(string_t& value) override { return add(std::move(value)); }
  bool binary(binary_t&) override { return fail("binary data"); }

  bool start_object(std::size_t) override { return open(Json::object()); }
  bool start_array(std::size_t) override { return open(Json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool key(string_t& name) override {
    const Json& object = *open_.back();
    if (object.size() >= kMaxJsonKeys) {
      return fail(fmt::format("an object of more than {} keys", kMaxJsonKeys));
    }
    if (object.contains(name)) return fail(fmt::format("the key '{}' stands twice", name));
    key_ = std::move(name);
    return true;
  }

  bool parse_error(std::size_t position, const std::string&,
                   const nlohmann::detail::exception& problem) override {
    // "[json.exception.parse_error.101] parse error at line 1, column 5: syntax error ..." keeps
    // only what follows the position, which we give ourselves.
    std::string reason = problem.what();
    const size_t colon = reason.find(": ");
    if (colon != std::string::npos) reason.erase(0, colon + 2);
    return fail(fmt::format("not valid JSON at byte {}: {}", position, reason));
  }

  Json take_value() { return std::move(root_); }
  const std::string& problem() const { return problem_; }

 private:
  bool fail(std::string problem) {
    problem_ = std::move(problem);
    return false;
  }

  Json* place(Json value) {
    if (open_.empty()) {
      root_ = std::move(value);
      return &root_;
    }
    Json& parent = *open_.back();
    if (parent.is_array()) return &parent.emplace_back(std::move(value));
    return &(parent[key_] = std::move(value));
  }

  bool add(Json value) {
    place(std::move(value));
    return true;
  }

  bool open(Json value) {
    if (open_.size() >= kMaxJsonDepth) {
      return fail(fmt::format("nested deeper than {} levels", kMaxJsonDepth));
    }
    open_.push_back(place(std::move(value)));
    return true;
  }

  bool close() {
    open_.pop_back();
    return true;
  }

  Json root_;
  // Pointers into root_. Only the innermost container grows, so the outer ones stay where they are.
  std::vector<Json*> open_;
  std::string key_;
  std::string problem_;
};

}  // namespace

Result<Json> parse_json(std::string_view text) {
  // The library takes a NUL for the end of the text and would not look at what follows.
  if (const size_t nul = text.find('\0'); nul != std::string_view::npos) {
    return Error(fmt::format("not valid JSON at byte {}: a NUL character", nul + 1));
  }
  StrictBuilder builder;
  if (!Json::sax_parse(text.begin(), text.end(), &builder)) return Error(builder.problem());
  return builder.take_value();
}

std::string_view json_kind(const Json& value) {
  switch (value.type()) {
    case Json::value_t::null:
      return "null";
    case Json::value_t::object:
      return "an object";
    case Json::value_t::array:
      return "a list";
    case Json::value_t::string:
      return "text";
    case Json::value_t::boolean:
      return "true or false";
    default:
      return "a number";
  }
}

}  // namespace cmbo
