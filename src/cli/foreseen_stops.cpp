// SPDX-License-Identifier: Apache-2.0
#include "cli/foreseen_stops.h"

#include <algorithm>

#include "base/check.h"
#include "replay/run.h"

namespace cmbo::cli {

namespace {

// Full trainings after which a search without a limit is cut off.
constexpr double kMostTrainings = 6.0;

struct StopPoint {
  double cost;
  double reached;  // normalized
  bool by_itself;  // and not because it was cut off
};

Result<StopPoint> search_end(const StopQuestion& question, const decide::Utility& utility,
                             const curves::CurveTable& table) {
  const double epochs = static_cast<double>(table.horizon);
  const double cost = question.epoch_cost * question.file.fidelity.max / epochs;
  const double budget = question.file.limits.cost.value_or(kMostTrainings * epochs * cost);
  const decide::LoopOptions options{
      .budget = budget, .stopping = {}, .epoch_costs = std::vector<double>(table.size(), cost)};
  CMBO_TRY(const auto policy,
           question.policies(utility, decide::Budget{budget, options.epoch_costs}));
  CMBO_TRY(const auto outcome, replay::run({.table = table,
                                            .utility = utility,
                                            .loop = options,
                                            .clock = question.clock,
                                            .proceed = [] { return true; }},
                                           *policy));
  CHECK(outcome.has_value(), "nobody cancels it");
  return StopPoint{static_cast<double>(outcome->steps.size()) * cost, outcome->steps.back().best,
                   outcome->stopped_at.has_value()};
}

}  // namespace

Result<ForeseenStops> foresee_stops(const StopQuestion& question, const KnownCurves& known) {
  CMBO_TRY(const decide::Utility utility,
           study::utility_over(question.file.utility, question.normalization));
  ForeseenStops stops{.curves = known.name};
  for (const curves::CurveTable& table : known.tables) {
    CMBO_TRY(const StopPoint end, search_end(question, utility, table));
    stops.costs.push_back(end.cost);
    if (!end.by_itself) ++stops.unfinished;
    stops.reached.push_back(question.normalization.invert(end.reached));
  }
  std::sort(stops.costs.begin(), stops.costs.end());
  return stops;
}

}  // namespace cmbo::cli
