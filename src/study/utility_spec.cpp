// SPDX-License-Identifier: Apache-2.0
#include "study/utility_spec.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <utility>

namespace cmbo::study {

namespace {

using decide::Point;
using Kind = UtilitySpec::Kind;

// Of the inverse of a normalization; straight lines between them miss it by less than a thousandth
// of its range.
constexpr int kInversePoints = 33;
// Where an open end of the metric is cut off.
constexpr double kOpenEnd = 0.005;

// Reads the keys of one way to say it; the caller has checked which keys there are.
class UtilityReader {
 public:
  UtilityReader(const JsonView& view, const Metric& metric) : view_(view), metric_(metric) {}

  Result<UtilitySpec> read() {
    if (view_.has("tradeoff")) return read_tradeoff();
    if (view_.has("value") || view_.has("price_of_cost")) return read_table();
    return read_alpha();
  }

 private:
  Result<UtilitySpec> read_alpha() {
    CMBO_RETURN_IF_ERROR(view_.check_keys({"alpha"}, {"per", "c", "budget", "price"}));
    if (view_.has("c") != view_.has("budget")) {
      return view_.error("c and budget belong together; give both or none");
    }
    CMBO_RETURN_IF_ERROR(read_per());
    CMBO_TRY(spec_.alpha, view_.key("alpha").number(0.0));
    if (!view_.has("c")) {
      spec_.alpha /= spec_.unit_size;
      return spec_;
    }
    CMBO_TRY(spec_.exponent, view_.key("c").positive());
    CMBO_TRY(spec_.budget, view_.key("budget").positive());
    spec_.budget *= spec_.unit_size;
    return spec_;
  }

  Result<UtilitySpec> read_table() {
    CMBO_RETURN_IF_ERROR(view_.check_keys({}, {"value", "price_of_cost", "per", "price"}));
    spec_.kind = Kind::kTable;
    CMBO_RETURN_IF_ERROR(read_per());
    CMBO_TRY(spec_.value, read_points("value"));
    CMBO_TRY(spec_.price, read_points("price_of_cost"));
    for (Point& point : spec_.price) point.at *= spec_.unit_size;
    // Utility checks what may not fall, in the direction of the metric.
    std::vector<Point> value = spec_.value;
    if (metric_.goal == curves::Goal::kMinimize) {
      std::reverse(value.begin(), value.end());
      for (Point& point : value) point.at = -point.at;
    }
    const auto utility = decide::Utility::table(std::move(value), spec_.price);
    if (!utility.ok()) return view_.error(utility.error().message());
    return spec_;
  }

  Result<std::vector<Point>> read_points(const char* key) {
    std::vector<Point> points;
    if (!view_.has(key)) return points;
    const JsonView list = view_.key(key);
    CMBO_TRY(const size_t count, list.length());
    for (size_t i = 0; i < count; ++i) {
      const JsonView pair = list[i];
      CMBO_TRY(const size_t length, pair.length());
      if (length != 2) return pair.error("must be a pair of numbers, like [0.9, 10]");
      CMBO_TRY(const double at, pair[0].number());
      CMBO_TRY(const double value, pair[1].number());
      points.push_back({at, value});
    }
    return points;
  }

  // "0.01 of val_acc is worth 2 h"
  Result<UtilitySpec> read_tradeoff() {
    CMBO_RETURN_IF_ERROR(view_.check_keys({"tradeoff"}, {"price"}));
    spec_.kind = Kind::kTradeoff;
    const JsonView view = view_.key("tradeoff");
    CMBO_TRY(const std::string text, view.text());
    const std::string between = fmt::format(" of {} is worth ", metric_.name);
    const size_t at = text.find(between);
    if (at == std::string::npos) {
      return view.error(fmt::format(
          "must read like \"0.01 of {} is worth 2 h\" (or epochs, min, or money with a price)",
          metric_.name));
    }
    auto gain = parse_amount(std::string_view(text).substr(0, at));
    auto worth = parse_amount(std::string_view(text).substr(at + between.size()));
    if (!gain.ok()) return view.error(gain.error().message());
    if (!worth.ok()) return view.error(worth.error().message());
    if (!gain->unit.empty() || !(gain->number > 0.0) || !(worth->number > 0.0)) {
      return view.error("both amounts must be above 0, and the first one a plain number");
    }
    spec_.gain = gain->number;
    spec_.worth = worth->number;
    CMBO_RETURN_IF_ERROR(read_unit(view, worth->unit));
    spec_.alpha = spec_.gain / (spec_.worth * spec_.unit_size);
    return spec_;
  }

  Status read_per() {
    if (!view_.has("per")) return read_unit(view_, "epochs");
    const JsonView view = view_.key("per");
    CMBO_TRY(const std::string word, view.text());
    return read_unit(view, word);
  }

  Status read_unit(const JsonView& view, const std::string& word) {
    spec_.unit_word = word;
    const bool priced = view_.has("price");
    if (const auto seconds = seconds_of_unit(word)) {
      spec_.unit = CostUnit::kSeconds;
      spec_.unit_size = *seconds;
    } else if (word == "epoch" || word == "epochs" || word == "step" || word == "steps") {
      spec_.unit = CostUnit::kEpochs;
    } else {
      return read_money(view, word);
    }
    if (!priced) return {};
    return view_.key("price").error("is not used, because costs are not in money; remove it");
  }

  Status read_money(const JsonView& view, const std::string& word) {
    if (word.empty() || !view_.has("price")) {
      return view.error(fmt::format(
          "'{}' is neither epochs nor a unit of time; for money add a price: 2.5 per hour", word));
    }
    const JsonView key = view_.key("price");
    CMBO_TRY(const std::string text, key.text());
    const auto price = parse_price(text);
    if (!price.ok()) return key.error(price.error().message());
    if (!price->currency.empty() && price->currency != word) {
      return key.error(fmt::format("is in {}, not in {}; use one currency", price->currency, word));
    }
    spec_.unit = CostUnit::kMoney;
    spec_.price_per_second = price->per_second;
    return {};
  }

  const JsonView& view_;
  const Metric& metric_;
  UtilitySpec spec_;
};

// y -> the metric, larger is better, 0 at the worst.
std::vector<Point> inverse_of(const curves::Normalization& normalization) {
  const double sign = normalization.goal() == curves::Goal::kMaximize ? 1.0 : -1.0;
  std::vector<Point> points;
  for (int i = 0; i < kInversePoints; ++i) {
    double y = static_cast<double>(i) / (kInversePoints - 1);
    if (!std::isfinite(normalization.invert(y))) y = i == 0 ? kOpenEnd : 1.0 - kOpenEnd;
    points.push_back({y, sign * normalization.invert(y)});
  }
  const double worst = points.front().value;
  for (Point& point : points) point.value -= worst;
  return points;
}

// The user's table, by y instead of by the metric. Where the normalization is saturated points may
// fall together; the better one stays.
std::vector<Point> by_normalized(std::vector<Point> points,
                                 const curves::Normalization& normalization) {
  if (normalization.goal() == curves::Goal::kMinimize) std::reverse(points.begin(), points.end());
  std::vector<Point> table;
  for (const Point& point : points) {
    const double y = normalization.normalize(point.at);
    if (!table.empty() && y <= table.back().at) table.pop_back();
    table.push_back({y, point.value});
  }
  return table;
}

std::string amount_text(double number, const std::string& unit) {
  return fmt::format("{:.3g} {}", number, unit);
}

}  // namespace

double UtilitySpec::cost_of(double epochs, double seconds) const {
  if (unit == CostUnit::kEpochs) return epochs;
  return unit == CostUnit::kSeconds ? seconds : seconds * price_per_second;
}

Result<UtilitySpec> utility_spec_from_json(const JsonView& view, const Metric& metric) {
  if (!view.json().is_object()) {
    return view.error("must be an object like {alpha: 2e-4} or {tradeoff: ...}");
  }
  return UtilityReader(view, metric).read();
}

Result<decide::Utility> utility_over(const UtilitySpec& spec,
                                     const curves::Normalization& normalization,
                                     double price_factor) {
  if (spec.kind == Kind::kAlpha) {
    const double alpha = spec.alpha * price_factor;
    return spec.exponent == 1.0 && spec.budget == 1.0
               ? decide::Utility::linear(alpha)
               : decide::Utility::power(alpha, spec.exponent, spec.budget);
  }
  std::vector<Point> price = spec.price;
  if (spec.kind == Kind::kTradeoff) price = {{0.0, 0.0}, {1.0, spec.alpha}};
  for (Point& point : price) point.value *= price_factor;
  std::vector<Point> value =
      spec.value.empty() ? inverse_of(normalization) : by_normalized(spec.value, normalization);
  return decide::Utility::table(std::move(value), std::move(price));
}

std::string utility_text(const UtilitySpec& spec, const Metric& metric, double price_factor) {
  switch (spec.kind) {
    case Kind::kTradeoff:
      if (price_factor == 0.0) return fmt::format("{} costs nothing", spec.unit_word);
      return fmt::format("{:.3g} of {} is worth {}", spec.gain, metric.name,
                         amount_text(spec.worth / price_factor, spec.unit_word));
    case Kind::kTable:
      return price_factor == 1.0 ? "value and price by tables"
                                 : fmt::format("{:.3g} times the table of prices", price_factor);
    default:
      break;
  }
  const double alpha = spec.stated_alpha() * price_factor;
  if (spec.exponent == 1.0 && spec.budget == 1.0) {
    return fmt::format("alpha {:.3g} per {}", alpha,
                       spec.unit == CostUnit::kEpochs ? "epoch" : spec.unit_word);
  }
  return fmt::format("alpha {:.3g}, c {:.3g}, budget {}", alpha, spec.exponent,
                     amount_text(spec.budget / spec.unit_size, spec.unit_word));
}

}  // namespace cmbo::study
