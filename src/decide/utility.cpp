// SPDX-License-Identifier: Apache-2.0
#include "decide/utility.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <utility>

namespace cmbo::decide {

namespace {

Status check_alpha(double alpha) {
  if (std::isfinite(alpha) && alpha >= 0.0) return {};
  return Error(fmt::format("alpha: is {}; give a price of at least 0", alpha));
}

Status check_positive(const char* name, double value) {
  if (std::isfinite(value) && value > 0.0) return {};
  return Error(fmt::format("{}: is {}; give a number above 0", name, value));
}

Status check_table(const char* name, const std::vector<Point>& points) {
  for (size_t i = 0; i < points.size(); ++i) {
    const auto complain = [&](const char* what) {
      return Error(
          fmt::format("{}[{}]: [{}, {}] {}", name, i, points[i].at, points[i].value, what));
    };
    if (!std::isfinite(points[i].at) || !std::isfinite(points[i].value)) {
      return complain("is not finite; give numbers");
    }
    if (i == 0) continue;
    if (points[i].at <= points[i - 1].at) {
      return complain("does not lie beyond the point before; sort the points");
    }
    if (points[i].value < points[i - 1].value) {
      return complain("lies below the point before; it must never fall");
    }
  }
  return {};
}

double on_line(const Point& a, const Point& b, double at) {
  return a.value + (at - a.at) / (b.at - a.at) * (b.value - a.value);
}

// Constant beyond the ends. `points` are not empty.
double interpolate(const std::vector<Point>& points, double at) {
  const auto after = std::upper_bound(points.begin(), points.end(), at,
                                      [](double x, const Point& point) { return x < point.at; });
  if (after == points.begin()) return points.front().value;
  if (after == points.end()) return points.back().value;
  return on_line(after[-1], *after, at);
}

}  // namespace

Result<Utility> Utility::linear(double alpha) {
  CMBO_RETURN_IF_ERROR(check_alpha(alpha));
  Utility utility;
  utility.alpha_ = alpha;
  utility.description_ = fmt::format("y - {} b", alpha);
  return utility;
}

Result<Utility> Utility::power(double alpha, double exponent, double budget) {
  CMBO_RETURN_IF_ERROR(check_alpha(alpha));
  CMBO_RETURN_IF_ERROR(check_positive("exponent", exponent));
  CMBO_RETURN_IF_ERROR(check_positive("budget", budget));
  Utility utility;
  utility.alpha_ = alpha;
  utility.exponent_ = exponent;
  utility.budget_ = budget;
  utility.description_ = fmt::format("y - {} (b / {})^{}", alpha, budget, exponent);
  return utility;
}

Result<Utility> Utility::table(std::vector<Point> value, std::vector<Point> price) {
  CMBO_RETURN_IF_ERROR(check_table("value", value));
  CMBO_RETURN_IF_ERROR(check_table("price", price));
  Utility utility;
  utility.description_ =
      fmt::format("{}{}", value.empty() ? "y" : "value(y)", price.empty() ? "" : " - price(b)");
  utility.value_ = std::move(value);
  utility.price_ = std::move(price);
  return utility;
}

double Utility::value(double best) const {
  return value_.empty() ? best : interpolate(value_, best);
}

double Utility::price(double cost) const {
  if (price_.empty()) {
    const double share = cost / budget_;
    return alpha_ * (exponent_ == 1.0 ? share : std::pow(share, exponent_));
  }
  const size_t n = price_.size();
  if (n > 1 && cost > price_[n - 1].at) return on_line(price_[n - 2], price_[n - 1], cost);
  return interpolate(price_, cost);
}

}  // namespace cmbo::decide
