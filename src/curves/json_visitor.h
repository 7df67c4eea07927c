// SPDX-License-Identifier: Apache-2.0
//
// JSON files of any size, read in one pass: a visitor walks down the objects and lists, takes the
// small pieces that it wants and skips the rest. Only the piece in hand is in memory.
#pragma once

#include <string>
#include <vector>

#include "base/file_system.h"
#include "base/json.h"
#include "base/result.h"

namespace cmbo::curves {

// The keys that lead to a value; an element of a list is "[17]", counted from 0.
using JsonPath = std::vector<std::string>;

// The path as one word for error texts: APSFailure.17.log
std::string path_text(const JsonPath& path);

// A piece of more values, or an object in it of more keys, is refused.
inline constexpr size_t kMaxPieceValues = 1 << 17;
inline constexpr size_t kMaxPieceKeys = 1000;

enum class Visit {
  kEnterObject,  // must be an object; each of its members is visited
  kEnterList,    // must be a list; each of its elements is visited
  kTake,         // hand it to take() as a whole
  kSkip,         // match its brackets and quotes only, which is fast
};

// Says what to do with each value, in the order of the file. Errors need not name the path.
class JsonVisitor {
 public:
  virtual ~JsonVisitor() = default;

  virtual Visit visit(const JsonPath& path) = 0;
  virtual Status take(const JsonPath& path, Json value) = 0;
  // After the last member of an object or list that was entered.
  virtual Status leave(const JsonPath& path) = 0;
};

// Walks through the one JSON value in `source`, in which NaN, Infinity and -Infinity count as null
// (python_json.h). Refused, with `name` and the path in the error: what is not JSON, duplicate keys
// in what is entered or taken, nesting deeper than kMaxJsonDepth, errors of the visitor.
Status visit_json(ByteSource& source, const std::string& name, JsonVisitor& visitor);

}  // namespace cmbo::curves
