// SPDX-License-Identifier: Apache-2.0
//
// A small model with random weights and a short history, for the tests of this folder.
#pragma once

#include "base/random.h"
#include "curves/prior.h"
#include "network/model.h"

namespace cmbo::forecast {

inline network::Model test_model(network::Copula copula = {}, curves::Records records = {}) {
  network::NetworkConfig config;
  config.hints = !records.tables().empty();
  config.dimensions = 6;
  config.width = 16;
  config.layers = 2;
  config.heads = 2;
  config.head_width = 12;
  config.bars = 20;
  auto network = network::make_network(config);
  std::vector<float> weights(network->table().size());
  Random random(2);
  for (float& w : weights) w = 0.4F * static_cast<float>(random.normal());
  return {
      std::move(network), network::Bars::from_values({}, 20, 1e-3F), std::move(weights), {}, copula,
      std::move(records)};
}

// Rows 0..9 observed for 0, 1, 2, ... epochs, 60 more not at all.
inline curves::CurveTable test_history(size_t horizon = 12) {
  Random random(8);
  curves::CurveTable table = curves::sample_prior(
      {.configurations = 70, .min_dimensions = 5, .max_dimensions = 5, .horizons = {horizon}},
      random);
  for (uint32_t row = 0; row < table.size(); ++row) table.lengths[row] = row < 10 ? row : 0;
  return table;
}

}  // namespace cmbo::forecast
