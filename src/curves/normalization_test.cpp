// SPDX-License-Identifier: Apache-2.0
#include "curves/normalization.h"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>

#include "curves/curve_table.h"

namespace cmbo::curves {
namespace {

using ::testing::HasSubstr;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

Task task_of(Goal goal, int first_epoch, const std::vector<std::vector<float>>& curves) {
  TaskHeader header;
  header.name = "t";
  header.metric = "m";
  header.goal = goal;
  header.first_epoch = first_epoch;
  header.last_epoch = 3;
  header.space = space::Space::from_yaml("lr: {type: float, low: 0, high: 1}").value();
  Task task = Task::create(std::move(header)).value();
  for (const auto& curve : curves) {
    EXPECT_TRUE(task.add(space::Configuration({0.25}), curve).ok());
  }
  return task;
}

// Expected values worked out by hand from the formula in the header.
TEST(NormalizationTest, LossLikeTaskset) {
  const Task task = task_of(Goal::kMinimize, 0, {{0.6f, 0.3f}, {0.8f, 5.0f}});
  const Normalization n = normalization_of(task, Preset::kTaskset).value();
  EXPECT_NEAR(n.bounds().soft_high, 0.7, 1e-7);
  EXPECT_EQ(n.normalize(0.0), 1.0);
  // sigma(-1) = 0.268941, sigma(1) = 0.731059: 1 - (0.731059 - 0.268941) / (1 - 0.268941)
  EXPECT_NEAR(n.normalize(0.7), 0.367879, 1e-5);
  EXPECT_NEAR(n.normalize(0.35), 1 - (0.5 - 0.268941) / 0.731059, 1e-5);
  EXPECT_NEAR(n.normalize(1e30), 0.0, 1e-12);
  EXPECT_EQ(n.normalize(kNaN), 0.0);
  EXPECT_EQ(n.normalize(kInfinity), 0.0);
}

TEST(NormalizationTest, Accuracy) {
  const Task task = task_of(Goal::kMaximize, 0, {{0.2f, 0.5f}, {0.1f, 0.9f}});
  const Normalization n = normalization_of(task, Preset::kAccuracy).value();
  EXPECT_EQ(n.normalize(0.0), 0.0);
  EXPECT_EQ(n.normalize(1.0), 1.0);
  const double a = 1 / (1 + std::exp(1.25)), b = 1 / (1 + std::exp(-1.25));
  EXPECT_NEAR(n.normalize(0.5), (0.5 - a) / (b - a), 1e-6);
  EXPECT_EQ(n.normalize(-kInfinity), 0.0);
}

TEST(NormalizationTest, IsInvertibleAndMonotone) {
  for (const Goal goal : {Goal::kMaximize, Goal::kMinimize}) {
    for (const Bounds& bounds : {Bounds{0, 1, 0.1, 0.8}, Bounds{.soft_low = -50, .soft_high = 900},
                                 Bounds{.hard_low = 0, .soft_low = 0, .soft_high = 2.3}}) {
      const Normalization n = Normalization::create(bounds, goal).value();
      double previous = n.normalize(bounds.soft_low);
      for (int percent = 1; percent <= 100; ++percent) {
        const double width = bounds.soft_high - bounds.soft_low;
        const double value = bounds.soft_low + percent / 100.0 * width;
        const double normalized = n.normalize(value);
        EXPECT_TRUE(goal == Goal::kMaximize ? normalized > previous : normalized < previous);
        EXPECT_NEAR(n.invert(normalized), value, 1e-9 * (bounds.soft_high - bounds.soft_low));
        previous = normalized;
      }
    }
  }
}

TEST(NormalizationTest, InvertsToTheHardBounds) {
  const Normalization n =
      Normalization::create({.hard_low = 0, .soft_low = 0, .soft_high = 2}, Goal::kMinimize)
          .value();
  EXPECT_NEAR(n.invert(1.0), 0.0, 1e-12);
  EXPECT_EQ(n.invert(0.0), kInfinity);
}

TEST(NormalizationTest, AutoChoosesByTheValues) {
  const auto chosen = [](Goal goal, int first, const std::vector<std::vector<float>>& curves) {
    return preset_name(resolve_preset(task_of(goal, first, curves), Preset::kAuto));
  };
  EXPECT_EQ(chosen(Goal::kMaximize, 0, {{0.1f, 0.9f}}), "accuracy");
  EXPECT_EQ(chosen(Goal::kMinimize, 0, {{2.3f, 0.9f}}), "taskset");
  EXPECT_EQ(chosen(Goal::kMinimize, 1, {{2.3f, 0.9f}}), "estimated");
  EXPECT_EQ(chosen(Goal::kMaximize, 1, {{-200.0f, 100.0f}}), "estimated");
}

TEST(NormalizationTest, EstimatesBoundsOfUnboundedMetrics) {
  std::vector<std::vector<float>> curves;
  for (int i = 0; i <= 100; ++i) curves.push_back({static_cast<float>(i - 50)});
  curves.push_back({-1e9f});  // one outlier must not flatten everything else
  const Normalization n = normalization_of(task_of(Goal::kMaximize, 1, curves)).value();
  EXPECT_EQ(n.bounds().soft_low, -49);
  EXPECT_GT(n.normalize(40) - n.normalize(-40), 0.3);
  EXPECT_TRUE(normalization_of(task_of(Goal::kMaximize, 1, {{-7.0f, -7.0f}})).ok());
}

TEST(NormalizationTest, RefusesWhatDoesNotFit) {
  const Task returns = task_of(Goal::kMaximize, 1, {{-200.0f, 100.0f}});
  EXPECT_THAT(normalization_of(returns, Preset::kAccuracy).error().message(),
              HasSubstr("outside [0, 1]"));
  EXPECT_THAT(normalization_of(returns, Preset::kTaskset).error().message(),
              HasSubstr("value before training"));
  const Task nothing = task_of(Goal::kMaximize, 1, {{NAN}});
  EXPECT_THAT(normalization_of(nothing).error().message(), HasSubstr("no value"));
  EXPECT_FALSE(Normalization::create({.soft_low = 1, .soft_high = 1}, Goal::kMaximize).ok());
  EXPECT_FALSE(Normalization::create({2, 1, 0, 1}, Goal::kMaximize).ok());
  EXPECT_FALSE(Normalization::create({1e9, 2e9, 0, 1}, Goal::kMaximize).ok());
}

TEST(CurveTableTest, EncodesAndNormalizes) {
  const Task task = task_of(Goal::kMinimize, 0, {{1.0f, 0.5f, NAN}, {1.0f}});
  const Normalization n = normalization_of(task).value();
  const CurveTable table = to_table(task, n);
  EXPECT_EQ(table.horizon, 3u);
  EXPECT_EQ(table.dimensions, 1u);
  EXPECT_FLOAT_EQ(table.initial, static_cast<float>(n.normalize(1.0)));
  EXPECT_EQ(table.lengths, (std::vector<uint32_t>{2, 0}));
  EXPECT_EQ(table.configuration(1)[0], 0.25f);
  EXPECT_FLOAT_EQ(table.curve(0)[0], static_cast<float>(n.normalize(0.5)));
  EXPECT_EQ(table.curve(0)[1], 0.0f);  // diverged
}

TEST(CurveTableTest, EpochOneStandsInForTheInitialValue) {
  const Task task = task_of(Goal::kMaximize, 1, {{0.2f, 0.5f}, {0.4f, 0.6f}});
  const CurveTable table = to_table(task, normalization_of(task).value());
  EXPECT_FLOAT_EQ(table.initial, (table.curve(0)[0] + table.curve(1)[0]) / 2);
}

}  // namespace
}  // namespace cmbo::curves
