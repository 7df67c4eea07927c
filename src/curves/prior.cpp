// SPDX-License-Identifier: Apache-2.0
#include "curves/prior.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/check.h"
#include "curves/prior_network.h"
#include "curves/prior_task.h"

namespace cmbo::curves {

namespace {

void check(const PriorOptions& options) {
  CHECK(options.configurations > 0, "a task needs configurations");
  CHECK(0 < options.min_dimensions && options.min_dimensions <= options.max_dimensions,
        "dimensions out of order");
  const auto& horizons = options.horizons;
  CHECK(!horizons.empty() && std::find(horizons.begin(), horizons.end(), 0u) == horizons.end(),
        "a task needs a horizon");
}

// The column of the table that each input stands in.
std::vector<size_t> place_inputs(size_t inputs, size_t columns, bool shuffle, Random& random) {
  std::vector<size_t> places(columns);
  std::iota(places.begin(), places.end(), size_t{0});
  if (shuffle) random.shuffle(std::span(places));
  places.resize(inputs);
  return places;
}

// As where no value before training was recorded.
float mean_of_first_epoch(const CurveTable& table) {
  double sum = 0;
  for (size_t n = 0; n < table.size(); ++n) sum += static_cast<double>(table.curve(n)[0]);
  return static_cast<float>(sum / static_cast<double>(table.size()));
}

LatentScores scores_of_task(const TaskTraits& task, const PriorInputs& x, Random& random) {
  LatentScores scores = draw_scores(x, Latent::kCount, task.unexplained, random);
  couple_scores(task, scores);
  return scores;
}

// Where `y` lies between 0, `from` and 1, there it is put between 0, `to` and 1.
float move_initial(float y, float from, float to) {
  if (y >= from) return from < 1 ? to + (y - from) * (1 - to) / (1 - from) : y;
  return y * to / from;
}

}  // namespace

CurveTable sample_prior(const PriorOptions& options, Random& random) {
  check(options);
  const size_t inputs =
      options.min_dimensions + random.index(options.max_dimensions - options.min_dimensions + 1);
  CurveTable table;
  table.horizon = options.horizons[random.index(options.horizons.size())];
  table.dimensions = options.pad ? options.max_dimensions : inputs;

  const PriorInputs x = draw_inputs(inputs, options.configurations, random);
  const auto places = place_inputs(inputs, table.dimensions, options.shuffle, random);
  const TaskTraits task = draw_traits(table.horizon, random);
  const LatentScores scores = scores_of_task(task, x, random);
  for (size_t n = 0; n < options.configurations; ++n) {
    const CurveTable::Row row = table.add(table.horizon);
    for (size_t i = 0; i < inputs; ++i) row.x[places[i]] = x.row(n)[i];
    draw_curve(shape_of(task, scores, n), random, row.y);
  }
  table.initial = task.kind == MetricKind::kReturn ? mean_of_first_epoch(table)
                                                   : static_cast<float>(task.initial);
  return table;
}

void blend_with_prior(CurveTable& table, Random& random) {
  const PriorInputs x{.inputs = table.dimensions,
                      .x = table.x,
                      .coarse = std::vector<bool>(table.dimensions, false)};
  const TaskTraits task = draw_traits(table.horizon, random);
  const LatentScores scores = scores_of_task(task, x, random);
  const auto initial = static_cast<float>(task.initial);
  const auto weight = static_cast<float>(random.uniform());
  std::vector<float> curve(table.horizon);
  for (size_t n = 0; n < table.size(); ++n) {
    draw_curve(shape_of(task, scores, n), random, curve);
    for (size_t t = 0; t < table.lengths[n]; ++t) {
      float& y = table.y[n * table.horizon + t];
      y = std::lerp(move_initial(curve[t], initial, table.initial), y, weight);
    }
  }
}

}  // namespace cmbo::curves
