// SPDX-License-Identifier: Apache-2.0
#include "curves/json_visitor.h"

#include <fmt/format.h>
#include <optional>
#include <unordered_set>
#include <utility>

#include "curves/python_json.h"
#include "curves/values.h"

namespace cmbo::curves {

namespace {

constexpr size_t kMaxReasonBytes = 200;

// Receives the parser's events. Each value stands in a piece being taken, or in an object or list
// that was entered; what is skipped never reaches the parser.
class Walker {
 public:
  using string_t = Json::string_t;

  Walker(JsonVisitor& visitor, PythonJsonText& text) : visitor_(visitor), text_(text) {}

  bool null() { return scalar(nullptr); }
  bool boolean(bool value) { return scalar(value); }
  bool number_integer(Json::number_integer_t value) { return scalar(value); }
  bool number_unsigned(Json::number_unsigned_t value) { return scalar(value); }
  bool number_float(Json::number_float_t value, const string_t&) { return scalar(value); }
  bool string(string_t& value) { return scalar(std::move(value)); }
  bool binary(Json::binary_t&) { return fail("binary data; write numbers"); }

  bool start_object(std::size_t) { return open(Json::value_t::object); }
  bool start_array(std::size_t) { return open(Json::value_t::array); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }

  bool key(string_t& name) {
    if (!pieces_.empty()) return piece_key(name);
    path_.push_back(std::move(name));
    if (levels_.back().keys.insert(path_.back()).second) return true;
    return fail("the key stands twice; remove one");
  }

  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception& problem) {
    // "[json.exception...] parse error at line 1, column 5: syntax error ...": the position is
    // given anew, because the parser has seen a text with replacements.
    std::string reason = problem.what();
    for (const std::string_view before_reason : {"] ", ": "}) {
      const size_t at = reason.find(before_reason);
      if (at != std::string::npos) reason.erase(0, at + before_reason.size());
    }
    return fail(
        fmt::format("not valid JSON at byte {}: {}; the file is damaged or cut off: fetch "
                    "it again",
                    text_.position(), excerpt(reason, kMaxReasonBytes)));
  }

  const JsonPath& path() const { return path_; }
  // Set when the parser stopped because of the contents.
  const std::optional<Error>& error() const { return error_; }

 private:
  struct Level {
    bool is_list;
    size_t next_index = 0;
    std::unordered_set<std::string> keys = {};
  };

  bool fail(Error error) {
    error_ = std::move(error);
    return false;
  }
  bool fail(std::string problem) { return fail(Error(std::move(problem))); }
  bool check(const Status& status) { return status.ok() || fail(status.error()); }

  bool scalar(Json value) {
    if (!pieces_.empty()) return place(std::move(value)) != nullptr;
    switch (begin_value()) {
      case Visit::kSkip:
        return end_value();
      case Visit::kTake:
        return check(visitor_.take(path_, std::move(value))) && end_value();
      case Visit::kEnterObject:
        return fail(fmt::format("must be an object, not {}; correct it", json_kind(value)));
      case Visit::kEnterList:
        break;
    }
    return fail(fmt::format("must be a list, not {}; correct it", json_kind(value)));
  }

  bool open(Json::value_t type) {
    if (levels_.size() + pieces_.size() >= kMaxJsonDepth) {
      return fail(
          fmt::format("nested deeper than {} levels; this is another format", kMaxJsonDepth));
    }
    if (!pieces_.empty()) return open_in_piece(type);
    return open_visited(type);
  }

  bool open_visited(Json::value_t type) {
    const bool is_list = type == Json::value_t::array;
    switch (begin_value()) {
      case Visit::kSkip:
        text_.skip_to_close();  // the parser sees an empty one, so that close() comes next
        skipping_ = true;
        return true;
      case Visit::kTake:
        piece_ = Json(type);
        piece_values_ = 0;
        pieces_.push_back(&piece_);
        return true;
      case Visit::kEnterObject:
        if (is_list) return fail("must be an object, not a list; correct it");
        break;
      case Visit::kEnterList:
        if (!is_list) return fail("must be a list, not an object; correct it");
        break;
    }
    levels_.push_back({is_list});
    return true;
  }

  bool close() {
    if (std::exchange(skipping_, false)) return end_value();
    if (pieces_.empty()) {
      levels_.pop_back();
      return check(visitor_.leave(path_)) && end_value();
    }
    pieces_.pop_back();
    if (!pieces_.empty()) return true;
    return check(visitor_.take(path_, std::move(piece_))) && end_value();
  }

  // A member has its key in the path already; an element of a list gets its index now.
  Visit begin_value() {
    if (!levels_.empty() && levels_.back().is_list) {
      path_.push_back(fmt::format("[{}]", levels_.back().next_index++));
    }
    return visitor_.visit(path_);
  }

  bool end_value() {
    if (!levels_.empty()) path_.pop_back();
    return true;
  }

  // Adds to the innermost container of the piece; null if it is too large.
  Json* place(Json value) {
    if (++piece_values_ > kMaxPieceValues) {
      fail(fmt::format("more than {} values; shorten it", kMaxPieceValues));
      return nullptr;
    }
    Json& parent = *pieces_.back();
    if (parent.is_array()) return &parent.emplace_back(std::move(value));
    return &(parent[piece_key_] = std::move(value));
  }

  bool open_in_piece(Json::value_t type) {
    Json* inner = place(Json(type));
    if (inner == nullptr) return false;
    pieces_.push_back(inner);
    return true;
  }

  bool piece_key(string_t& name) {
    const Json& object = *pieces_.back();
    if (object.size() >= kMaxPieceKeys) {
      return fail(fmt::format("an object of more than {} keys; shorten it", kMaxPieceKeys));
    }
    if (object.contains(name)) {
      return fail(fmt::format("the key '{}' stands twice; remove one", excerpt(name)));
    }
    piece_key_ = std::move(name);
    return true;
  }

  JsonVisitor& visitor_;
  PythonJsonText& text_;
  JsonPath path_;
  std::vector<Level> levels_;  // the objects and lists that were entered
  bool skipping_ = false;      // between the brackets of a skipped value
  Json piece_;
  // Pointers into piece_. Only the innermost container grows, so the outer ones stay in place.
  std::vector<Json*> pieces_;
  std::string piece_key_;
  size_t piece_values_ = 0;
  std::optional<Error> error_;
};

}  // namespace

std::string path_text(const JsonPath& path) {
  std::string text;
  for (const std::string& key : path) {
    if (!text.empty() && !key.starts_with('[')) text += '.';
    text += excerpt(key);
  }
  return text;
}

Status visit_json(ByteSource& source, const std::string& name, JsonVisitor& visitor) {
  PythonJsonText text(source);
  Walker walker(visitor, text);
  const bool complete =
      Json::sax_parse(PythonJsonText::Iterator(text), PythonJsonText::Iterator(), &walker);
  if (complete && !text.error()) return {};
  const Error& error = text.error() ? *text.error() : walker.error().value();
  const Error placed = walker.path().empty() ? error : error.within(path_text(walker.path()));
  return placed.within(name);
}

}  // namespace cmbo::curves
