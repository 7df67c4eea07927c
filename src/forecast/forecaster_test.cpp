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

// The network's own answer for one epoch of a row.
std::vector<float> asked_directly(const network::Model& model, const curves::CurveTable& history,
                                  uint32_t row, uint32_t epoch, std::span<const float> levels) {
  network::Question question;
  question.observed = history;
  question.asked = {row};
  question.epochs_each = 1;
  question.epochs = {epoch};
  for (uint32_t n = 0; n < history.size(); ++n) {
    if (history.lengths[n] > 0) question.context.push_back(n);
  }
  std::vector<float> values(levels.size());
  ThreadPool pool(1);
  model.network().answer(model.weights().data(), question, pool,
                         [&](const network::AnswerBlock& block) {
                           block.distribution(model.bars(), 0).quantiles(levels, values);
                         });
  return values;
}

TEST(ForecasterTest, OneEpochComesFromTheNetwork) {
  const network::Model model = test_model();
  const curves::CurveTable history = test_history(40);
  const std::vector<float> levels = even_levels(4);
  ThreadPool pool(2);
  const std::vector<uint32_t> asked = {0, 3, 9};
  for (const uint32_t ahead : {1U, 17U, 100U}) {
    const std::vector<float> values = forecast_epoch(model, {history, asked, ahead}, levels, pool);
    for (size_t q = 0; q < asked.size(); ++q) {
      const uint32_t epoch = std::min(history.lengths[asked[q]] + ahead, 40U);
      const std::vector<float> direct = asked_directly(model, history, asked[q], epoch, levels);
      for (size_t s = 0; s < 4; ++s) EXPECT_NEAR(values[q * 4 + s], direct[s], 1e-5F) << epoch;
    }
  }
}

TEST(ForecasterTest, NearEpochsAndTheLastComeFromTheNetworkTheRestFromLinesBetween) {
  const network::Model model = test_model();
  const curves::CurveTable history = test_history(40);
  const std::vector<float> levels = even_levels(4);
  ThreadPool pool(2);
  const std::vector<uint32_t> asked = {0, 3, 9};
  const Forecast f = forecast(model, history, asked, levels, pool);
  for (size_t q = 0; q < asked.size(); ++q) {
    const uint32_t length = history.lengths[asked[q]];
    for (const uint32_t epoch : {length + 1, length + 2, length + 10, length + 12, 40U}) {
      const std::vector<float> direct = asked_directly(model, history, asked[q], epoch, levels);
      for (size_t s = 0; s < 4; ++s) EXPECT_NEAR(f.at(q, epoch)[s], direct[s], 1e-5F) << epoch;
    }
    for (size_t s = 0; s < 4; ++s) {
      const float middle = (f.at(q, length + 10)[s] + f.at(q, length + 12)[s]) / 2.0F;
      EXPECT_NEAR(f.at(q, length + 11)[s], middle, 1e-6F);
    }
  }
}

TEST(ForecasterTest, TellsTheNetworkWhatEarlierTasksSay) {
  const curves::CurveTable history = test_history();
  curves::CurveTable earlier = history;  // the same configurations, all complete
  earlier.lengths.assign(earlier.size(), 12);
  for (float& y : earlier.y) y = 0.5F + 0.5F * y;
  curves::CurveTable elsewhere = earlier;
  for (float& x : elsewhere.x) x = 1.0F - 0.5F * x;
  const std::vector<uint32_t> asked = {3, 33};
  const std::vector<float> levels = {0.5F};
  ThreadPool pool(2);
  const auto values = [&](const curves::CurveTable& recorded) {
    return forecast(test_model({}, curves::Records({recorded})), history, asked, levels, pool)
        .values;
  };
  const size_t last = values(earlier).size() - 1;
  EXPECT_NE(values(earlier)[last], values(elsewhere)[last]);
  const std::vector<float> one = forecast_epoch(test_model({}, curves::Records({earlier})),
                                                {history, asked, 12}, levels, pool);
  EXPECT_NEAR(one.back(), values(earlier)[last], 1e-5F);
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
