// SPDX-License-Identifier: Apache-2.0
//
// One value for every parameter of a space, in the space's order. It means nothing without its
// Space, which makes, checks, encodes and prints it.
#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

namespace cmbo::space {

class Configuration {
 public:
  // What an inactive parameter holds.
  static constexpr double kInactive = std::numeric_limits<double>::quiet_NaN();

  Configuration() = default;
  explicit Configuration(std::vector<double> values) : values_(std::move(values)) {}

  size_t size() const { return values_.size(); }
  bool is_active(size_t parameter) const { return !std::isnan(values_[parameter]); }
  // The number of a float or an int, the index of a category; kInactive if inactive.
  double operator[](size_t parameter) const { return values_[parameter]; }

  friend bool operator==(const Configuration& a, const Configuration& b) {
    if (a.size() != b.size()) return false;
    for (size_t i = 0; i < a.size(); ++i) {
      if (a.is_active(i) != b.is_active(i) || (a.is_active(i) && a[i] != b[i])) return false;
    }
    return true;
  }

  struct Hash {
    size_t operator()(const Configuration& configuration) const;
  };

 private:
  std::vector<double> values_;
};

}  // namespace cmbo::space
