// SPDX-License-Identifier: Apache-2.0
//
// What a result is worth at what cost:
//
//   U(cost, best) = value(best) - price(cost)
//
// value is the best performance itself or a piecewise-linear map of it, price is linear, a power or
// piecewise-linear. U rises in `best` and falls in `cost` (neither strictly), which is checked at
// construction. Costs are in the user's unit: steps, seconds, money.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace cmbo::decide {

// Straight lines between points. Before the first one constant; beyond the last one a value is
// constant and a price goes on with its last slope, because what comes later is not free.
struct Point {
  double at;
  double value;
};

class Utility {
 public:
  // U = best - alpha cost.
  static Result<Utility> linear(double alpha);
  // U = best - alpha (cost / budget)^exponent.
  static Result<Utility> power(double alpha, double exponent, double budget);
  // U = value(best) - price(cost), by tables with ascending `at` and values that never fall; an
  // empty one means best itself, or no price.
  static Result<Utility> table(std::vector<Point> value, std::vector<Point> price);

  double operator()(double cost, double best) const { return value(best) - price(cost); }
  double value(double best) const;
  double price(double cost) const;
  // Whether value(best) is best itself, which makes decisions cheaper to compute.
  bool is_plain() const { return value_.empty(); }
  // For people: "y - 0.0002 b".
  const std::string& description() const { return description_; }

 private:
  Utility() = default;

  double alpha_ = 0.0;
  double exponent_ = 1.0;
  double budget_ = 1.0;
  std::vector<Point> value_;
  std::vector<Point> price_;
  std::string description_;
};

}  // namespace cmbo::decide
