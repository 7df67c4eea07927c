// SPDX-License-Identifier: Apache-2.0
#include "curves/task.h"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>

#include "curves/summary.h"

namespace cmbo::curves {
namespace {

using ::testing::HasSubstr;

constexpr float kNotANumber = std::numeric_limits<float>::quiet_NaN();

TaskHeader header(Goal goal = Goal::kMinimize) {
  TaskHeader header;
  header.name = "t";
  header.metric = "loss";
  header.goal = goal;
  header.first_epoch = 0;
  header.last_epoch = 3;
  header.space = space::Space::from_yaml("lr: {type: float, low: 0, high: 1}").value();
  return header;
}

space::Configuration at(double lr) {
  return space::Configuration({lr});
}

TEST(TaskTest, KeepsRaggedCurvesInOneArray) {
  Task task = Task::create(header()).value();
  ASSERT_TRUE(task.add(at(0.1), std::vector{1.0f, 0.5f, 0.4f, 0.3f}).ok());
  ASSERT_TRUE(task.add(at(0.2), std::vector{3.0f, kNotANumber}).ok());
  EXPECT_EQ(task.size(), 2u);
  EXPECT_EQ(task.values().size(), 6u);
  EXPECT_EQ(task.curve(0)[3], 0.3f);
  EXPECT_EQ(task.trained(0).size(), 3u);
  EXPECT_EQ(task.trained(1).size(), 1u);
  EXPECT_EQ(task.initial_value(), 2.0);
}

TEST(TaskTest, RefusesBadHeaders) {
  const auto problem = [](auto change) {
    TaskHeader bad = header();
    change(bad);
    return Task::create(std::move(bad)).error().message();
  };
  EXPECT_THAT(problem([](TaskHeader& h) { h.name.clear(); }), HasSubstr("task:"));
  EXPECT_THAT(problem([](TaskHeader& h) { h.metric.clear(); }), HasSubstr("metric:"));
  EXPECT_THAT(problem([](TaskHeader& h) { h.first_epoch = 2; }), HasSubstr("first_epoch:"));
  EXPECT_THAT(problem([](TaskHeader& h) { h.last_epoch = 0; }), HasSubstr("last_epoch:"));
  EXPECT_THAT(problem([](TaskHeader& h) { h.range = {1.0, 0.0}; }), HasSubstr("range:"));
}

TEST(TaskTest, RefusesBadCurves) {
  TaskHeader bounded = header();
  bounded.range.low = 0.0;
  Task task = Task::create(std::move(bounded)).value();
  EXPECT_THAT(task.add(at(0), std::vector<float>()).error().message(), HasSubstr("empty"));
  EXPECT_THAT(task.add(at(0), std::vector<float>(5)).error().message(),
              HasSubstr("has 5 values, but epochs 0 to 3 make 4"));
  EXPECT_THAT(task.add(at(0), std::vector{-1.0f}).error().message(),
              HasSubstr("outside its range"));
  EXPECT_EQ(task.size(), 0u);
}

TEST(TaskTest, NumbersBeyondAFloatCountAsDiverged) {
  EXPECT_EQ(recorded_value(0.25), 0.25f);
  EXPECT_TRUE(std::isnan(recorded_value(1e300)));
  EXPECT_TRUE(std::isnan(recorded_value(-std::numeric_limits<double>::infinity())));
}

TEST(CurveSetTest, TasksHaveDifferentNames) {
  CurveSet set;
  ASSERT_TRUE(set.add(Task::create(header()).value()).ok());
  EXPECT_THAT(set.add(Task::create(header()).value()).error().message(), HasSubstr("twice"));
  EXPECT_EQ(set.find("t"), &set.tasks[0]);
  EXPECT_EQ(set.find("u"), nullptr);
}

TEST(SummaryTest, CountsAndRanks) {
  Task task = Task::create(header()).value();
  ASSERT_TRUE(task.add(at(0.1), std::vector{1.0f, 0.5f, 0.4f, 0.3f}).ok());
  ASSERT_TRUE(task.add(at(0.1), std::vector{1.0f, 0.9f}).ok());
  ASSERT_TRUE(task.add(at(0.2), std::vector{1.0f, 7.0f, kNotANumber}).ok());
  const TaskSummary summary = summarize(task);
  EXPECT_EQ(summary.configurations, 3u);
  EXPECT_EQ(summary.repeated, 1u);
  EXPECT_EQ(summary.shortest, 2u);
  EXPECT_EQ(summary.longest, 4u);
  EXPECT_EQ(summary.diverged, 1u);
  EXPECT_NEAR(*summary.smallest, 0.3, 1e-7);
  EXPECT_EQ(summary.largest, 7.0);
  EXPECT_NEAR(*summary.best_final, 0.3, 1e-7);
  EXPECT_NEAR(*summary.median_final, 0.9, 1e-7);
  const Json json = summary_to_json(task, summary);
  EXPECT_EQ(json["normalization"], "taskset");
  EXPECT_NEAR(json["diverged_share"].get<double>(), 1.0 / 3, 1e-12);
}

}  // namespace
}  // namespace cmbo::curves
