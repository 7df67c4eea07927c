// SPDX-License-Identifier: Apache-2.0
#include "forecast/forecaster.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

#include "forecast/test_model.h"

namespace cmbo::forecast {
namespace {

TEST(ForecasterTest, QuantilesRiseAndCoverTheFutureOnly) {
  ThreadPool pool(2);
  const Forecast f = forecast(test_model(), test_history(), std::vector<uint32_t>{0, 4, 9, 33},
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
    }
  }
}

TEST(ForecasterTest, CompanyAndThreadsDoNotMatter) {
  std::vector<uint32_t> all(70);
  for (uint32_t row = 0; row < 70; ++row) all[row] = row;
  const std::vector<float> levels = even_levels(8);
  ThreadPool one(1), four(4);
  const Forecast together = forecast(test_model(), test_history(), all, levels, one);
  const Forecast threaded = forecast(test_model(), test_history(), all, levels, four);
  const Forecast alone =
      forecast(test_model(), test_history(), std::vector<uint32_t>{50}, levels, one);
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
