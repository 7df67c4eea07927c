// SPDX-License-Identifier: Apache-2.0
//
// Reading a JSON value that a person wrote: every error names the place, like samples[2].curves[0].
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"

namespace cmbo {

// A value and where it stands. Lives no longer than the view that it was taken from.
class JsonView {
 public:
  explicit JsonView(const Json& root) : json_(root) {}

  // An object with all of the required keys and no others than these and the optional ones. The
  // error about a wrong key suggests the nearest right one.
  Status check_keys(const std::vector<std::string_view>& required,
                    const std::vector<std::string_view>& optional = {}) const;
  bool has(std::string_view key) const { return json_.contains(key); }
  JsonView key(std::string_view key) const { return {json_.find(key).value(), this, key, 0}; }

  const Json& json() const { return json_; }

  // The length of a list.
  Result<size_t> length() const;
  JsonView operator[](size_t i) const { return {json_[i], this, {}, i}; }

  Result<double> number(double low = std::numeric_limits<double>::lowest(),
                        double high = std::numeric_limits<double>::max()) const;
  Result<double> positive() const;
  Result<bool> flag() const;
  Result<uint32_t> whole(uint32_t low, uint32_t high) const;
  Result<std::string> text() const;

  // An error at this place; the message ends with what to do.
  Error error(std::string_view message) const;

 private:
  JsonView(const Json& json, const JsonView* parent, std::string_view key, size_t index)
      : json_(json), parent_(parent), key_(key), index_(index) {}

  std::string place() const;

  const Json& json_;
  const JsonView* parent_ = nullptr;
  std::string_view key_;  // empty: the element `index_` of a list
  size_t index_ = 0;
};

}  // namespace cmbo
