// SPDX-License-Identifier: Apache-2.0
#include "digits/trainer.h"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "digits/optimizer.h"

namespace cmbo::digits {
namespace {

using ::testing::ElementsAre;
using ::testing::FloatEq;
using ::testing::HasSubstr;

const Split& digits() {
  static const Split parts = [] {
    auto all = read_data_set(real_file_system(), CMBO_DIGITS_DATA "/digits.csv.gz");
    CHECK(all.ok(), all.error().message());
    scale_pixels(*all);
    return split(*all, 1.0 / 3.0, 20);
  }();
  return parts;
}

std::vector<Metrics> train(const Plan& plan, size_t epochs) {
  Trainer trainer(digits(), plan);
  State state = trainer.start();
  for (size_t i = 0; i < epochs; ++i) trainer.train_epoch(state);
  return state.history;
}

TEST(TrainerTest, LearnsToReadDigits) {
  const auto history = train({.parameters = {}, .epochs = 10, .seed = 1}, 10);
  EXPECT_GT(history.back().val_acc, 0.95);
  EXPECT_LT(history.back().val_loss, 0.2);
  EXPECT_LT(history.back().train_loss, history.front().train_loss);
}

TEST(TrainerTest, KnowsNothingBeforeItStarts) {
  Trainer trainer(digits(), {});
  const Metrics metrics = trainer.evaluate(trainer.start());
  EXPECT_NEAR(metrics.val_acc, 0.1, 0.1);
  EXPECT_NEAR(metrics.val_loss, std::log(10.0), 0.5);
}

TEST(TrainerTest, DivergesToNan) {
  Plan plan;
  plan.parameters.learning_rate = 100.0;
  const auto history = train(plan, 3);
  ASSERT_EQ(history.size(), 3U);
  for (const Metrics& metrics : history) {
    EXPECT_TRUE(metrics.diverged());
    EXPECT_TRUE(std::isnan(metrics.val_acc) && std::isnan(metrics.train_loss));
  }
}

TEST(TrainerTest, DependsOnTheSeed) {
  const auto first = train({.parameters = {}, .epochs = 2, .seed = 1}, 1);
  EXPECT_EQ(first.back().val_loss,
            train({.parameters = {}, .epochs = 2, .seed = 1}, 1)[0].val_loss);
  EXPECT_NE(first.back().val_loss,
            train({.parameters = {}, .epochs = 2, .seed = 2}, 1)[0].val_loss);
}

TEST(OptimizerTest, RollsLikeAHeavyBall) {
  std::vector<float> gradient = {1.0F, 0.0F}, momentum = {2.0F, 0.0F}, weights = {10.0F, 4.0F};
  momentum_step({.rate = 0.5F, .momentum = 0.9F, .weight_decay = 0.1F}, gradient, momentum,
                weights);
  EXPECT_THAT(momentum, ElementsAre(FloatEq(3.8F), FloatEq(0.4F)));
  EXPECT_THAT(weights, ElementsAre(FloatEq(8.1F), FloatEq(3.8F)));
}

TEST(ScheduleTest, FallsToZeroOrStays) {
  EXPECT_EQ(schedule_factor(Schedule::kConstant, 0.7), 1.0);
  EXPECT_EQ(schedule_factor(Schedule::kLinear, 0.25), 0.75);
  EXPECT_EQ(schedule_factor(Schedule::kCosine, 0.0), 1.0);
  EXPECT_NEAR(schedule_factor(Schedule::kCosine, 0.5), 0.5, 1e-15);
  EXPECT_NEAR(schedule_factor(Schedule::kCosine, 1.0), 0.0, 1e-15);
}

TEST(HyperparametersTest, GoThroughJson) {
  Hyperparameters parameters;
  const Json json = {{"learning_rate", 0.5}, {"momentum", 0},       {"weight_decay", 0.25},
                     {"dropout", 0.125},     {"width", 7},          {"depth", 3.0},
                     {"batch_size", 9},      {"schedule", "linear"}};
  ASSERT_TRUE(set_parameters(parameters, json).ok());
  EXPECT_EQ(to_json(parameters), json);
  EXPECT_EQ(json.size(), parameter_helps().size());
  for (const ParameterHelp& help : parameter_helps()) EXPECT_TRUE(json.contains(help.name));
}

TEST(HyperparametersTest, RefusalsNameTheParameter) {
  Hyperparameters parameters;
  const auto refusal = [&](const Json& json) {
    return set_parameters(parameters, json).error().message();
  };
  EXPECT_THAT(refusal({{"momentum", 1.5}}), HasSubstr("momentum: must be a number from 0 to 1"));
  EXPECT_THAT(refusal({{"width", 2.5}}), HasSubstr("width: must be a whole number"));
  EXPECT_THAT(refusal({{"schedule", "steps"}}), HasSubstr("constant, cosine or linear"));
  EXPECT_THAT(refusal({{"lr", 0.1}}), HasSubstr("lr: no such parameter"));
}

}  // namespace
}  // namespace cmbo::digits
