// SPDX-License-Identifier: Apache-2.0
#include "forecast/forecaster.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

#include "curves/prior.h"

namespace cmbo::forecast {
namespace {

network::Model model() {
  network::NetworkConfig config;
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
  return {std::move(network), network::Bars::from_values({}, 20, 1e-3F), std::move(weights), {}};
}

// Rows 0..9 observed for 0, 1, 2, ... epochs.
curves::CurveTable history() {
  Random random(8);
  curves::CurveTable table = curves::sample_prior(
      {.configurations = 70, .min_dimensions = 5, .max_dimensions = 5, .horizons = {12}}, random);
  for (uint32_t row = 0; row < table.size(); ++row) table.lengths[row] = row < 10 ? row : 0;
  return table;
}

TEST(ForecasterTest, QuantilesRiseAndCoverTheFutureOnly) {
  ThreadPool pool(2);
  const Forecast f = forecast(model(), history(), std::vector<uint32_t>{0, 4, 9, 33},
                              std::vector<float>{0.1F, 0.5F, 0.9F}, pool);
  for (size_t q = 0; q < 4; ++q) {
    for (size_t epoch = 1; epoch <= 12; ++epoch) {
      const auto values = f.at(q, epoch);
      if (epoch <= f.lengths[q]) {
        EXPECT_TRUE(std::isnan(values[0]));
        continue;
      }
      EXPECT_TRUE(std::is_sorted(values.begin(), values.end()));
      EXPECT_GE(values.front(), 0.0F);
      EXPECT_LE(values.back(), 1.0F);
      EXPECT_GT(f.mean(q, epoch), 0.0F);
    }
  }
}

TEST(ForecasterTest, CompanyAndThreadsDoNotMatter) {
  std::vector<uint32_t> all(70);
  for (uint32_t row = 0; row < 70; ++row) all[row] = row;
  const std::vector<float> levels = even_levels(8);
  ThreadPool one(1), four(4);
  const Forecast together = forecast(model(), history(), all, levels, one);
  const Forecast threaded = forecast(model(), history(), all, levels, four);
  const Forecast alone = forecast(model(), history(), std::vector<uint32_t>{50}, levels, one);
  for (size_t i = 0; i < together.values.size(); ++i) {
    const bool both_nan = std::isnan(together.values[i]) && std::isnan(threaded.values[i]);
    ASSERT_TRUE(both_nan || together.values[i] == threaded.values[i]);
  }
  for (size_t epoch = 1; epoch <= 12; ++epoch) {
    for (size_t s = 0; s < 8; ++s) {
      EXPECT_NEAR(alone.at(0, epoch)[s], together.at(50, epoch)[s], 1e-5F);
    }
  }
}

TEST(ForecasterTest, EvenLevelsAreCentered) {
  EXPECT_EQ(even_levels(2), (std::vector<float>{0.25F, 0.75F}));
}

}  // namespace
}  // namespace cmbo::forecast
