// SPDX-License-Identifier: Apache-2.0
//
// What performance is worth, as the user says it in `utility`, and the decide::Utility over the
// normalized metric that follows. Five ways to say it:
//
//   {alpha: 2e-4}                        U = y - alpha b, the paper's: y normalized to [0,1], b in
//                                        epochs
//   {alpha: 1e-3, per: h}                the same with b in hours (s, min, h, d, or money)
//   {alpha: 0.06, c: 1, budget: 300}     U = y - alpha (b / budget)^c, y normalized
//   {value: [[0.8, 0], [0.9, 10]], price_of_cost: [[0, 0], [100, 5]]}
//                                        U = value(m) - price_of_cost(b), m in its own units;
//                                        a missing value is m itself, a missing price is none;
//                                        `per` as above
//   {tradeoff: "0.01 of val_acc is worth 2 h"}
//                                        U = ±m - (0.01 / 2 h) b, m the metric in its own units
//
// alpha is in normalized units because that is what published values mean; a tradeoff and a table
// are in the metric's own units and therefore become a piecewise-linear value(y), the inverse of
// the normalization, shifted to 0 at the worst value. So a tradeoff means the same however the
// metric is normalized, and an alpha does not.
// Money needs `price: 2.5 EUR per hour`.
#pragma once

#include <string>
#include <vector>

#include "base/json_view.h"
#include "base/result.h"
#include "curves/normalization.h"
#include "decide/utility.h"
#include "study/metric.h"
#include "study/units.h"

namespace cmbo::study {

struct UtilitySpec {
  enum class Kind { kAlpha, kTable, kTradeoff };

  Kind kind = Kind::kAlpha;
  CostUnit unit = CostUnit::kEpochs;  // of all costs
  std::string unit_word = "epochs";   // the user's word for it: "h", "EUR"
  double unit_size = 1.0;             // seconds in the user's unit of time, otherwise 1
  double alpha = 2e-4;                // kAlpha: of y; kTradeoff: of the metric; per unit of cost
  double exponent = 1.0;              // kAlpha: c
  double budget = 1.0;                // kAlpha: what costs are divided by
  std::vector<decide::Point> value = {};  // kTable: by the metric's own values, ascending
  std::vector<decide::Point> price = {};  // kTable: by cost
  double gain = 0.0;                      // kTradeoff: so much of the metric ...
  double worth = 0.0;                     // ... is worth so much, in the user's unit
  double price_per_second = 0.0;          // unit kMoney: what a second of training costs

  // kAlpha: as the user gave it.
  double stated_alpha() const { return budget == 1.0 ? alpha * unit_size : alpha; }
  // What training costs, in `unit`.
  double cost_of(double epochs, double seconds) const;
};

// The error names the key. The metric is the one that a tradeoff or a table speaks of.
Result<UtilitySpec> utility_spec_from_json(const JsonView& view, const Metric& metric);

// With every price multiplied by `price_factor`, at least 0.
Result<decide::Utility> utility_over(const UtilitySpec& spec,
                                     const curves::Normalization& normalization,
                                     double price_factor = 1.0);

// The utility in the user's words, with every price multiplied by `price_factor`:
// "alpha 0.0002 per epoch", "0.01 of val_acc is worth 2 h".
std::string utility_text(const UtilitySpec& spec, const Metric& metric, double price_factor = 1.0);

}  // namespace cmbo::study
