// SPDX-License-Identifier: Apache-2.0
#include "cli/study_forecast.h"

#include <algorithm>

#include "cli/model_file.h"
#include "cli/study_text.h"
#include "forecast/forecaster.h"
#include "study/deliberation.h"

namespace cmbo::cli {

namespace {

// What the policy sees: the pool with every observation.
Result<curves::CurveTable> observed_table(const StudyView& view,
                                          const curves::Normalization& normalization) {
  CMBO_TRY(curves::CurveTable table, study::encode_pool(view.file, view.facts));
  double first = 0.0;
  size_t started = 0;
  for (const study::Observation& observation : view.facts.observations()) {
    const double y = normalization.normalize(observation.value);
    table.y[observation.trial * table.horizon + observation.step - 1] = static_cast<float>(y);
    table.lengths[observation.trial] = observation.step;
    if (observation.step != 1) continue;
    first += y;
    ++started;
  }
  if (started > 0) table.initial = static_cast<float>(first / static_cast<double>(started));
  return table;
}

TrialForecast in_own_units(const forecast::Forecast& all, size_t q,
                           const curves::Normalization& normalization) {
  TrialForecast one{.trial = all.asked[q], .observed = all.lengths[q]};
  for (size_t epoch = one.observed + 1; epoch <= all.horizon; ++epoch) {
    std::array<double, kFanLevels.size()> row{};
    std::transform(all.at(q, epoch).begin(), all.at(q, epoch).end(), row.begin(),
                   [&](float y) { return normalization.invert(static_cast<double>(y)); });
    if (normalization.goal() == curves::Goal::kMinimize) std::reverse(row.begin(), row.end());
    one.quantiles.push_back(row);
  }
  return one;
}

}  // namespace

bool has_future(const StudyView& view, uint32_t trial) {
  const study::TrialState state = view.facts.trials()[trial].state;
  const bool alive = is_open(state) || state == study::TrialState::kRunning;
  return alive && view.facts.steps(trial) < view.file.fidelity.max;
}

Result<std::vector<TrialForecast>> forecast_trials(const StudyView& view,
                                                   std::span<const uint32_t> trials,
                                                   const network::Model& model, ThreadPool& pool) {
  const curves::Normalization normalization =
      study::metric_scale(view.file.metric, view.facts).normalization;
  CMBO_TRY(const curves::CurveTable table, observed_table(view, normalization));
  CMBO_RETURN_IF_ERROR(check_fits(model, "parameters", table));
  const forecast::Forecast all = forecast::forecast(model, table, trials, kFanLevels, pool);
  std::vector<TrialForecast> forecasts;
  for (size_t q = 0; q < trials.size(); ++q) {
    forecasts.push_back(in_own_units(all, q, normalization));
  }
  return forecasts;
}

Json forecast_to_json(const TrialForecast& forecast) {
  Json quantiles = Json::array();
  for (const auto& row : forecast.quantiles) {
    Json values = Json::array();
    for (const double value : row) values.push_back(value_to_json(value));
    quantiles.push_back(std::move(values));
  }
  return {{"trial", forecast.trial},
          {"observed", forecast.observed},
          {"levels", kFanLevels},
          {"quantiles", std::move(quantiles)}};
}

}  // namespace cmbo::cli
