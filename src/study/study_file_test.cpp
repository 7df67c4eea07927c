// SPDX-License-Identifier: Apache-2.0
#include "study/study_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cmbo::study {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* kLeast = R"(
command: python train.py --lr {lr}
metric: {name: val_acc}
fidelity: {max: 50}
parameters:
  lr: {type: float, low: 1e-5, high: 0.1, log: true}
)";

std::string file_error(const std::string& more, const std::string& from = "",
                       const std::string& to = "") {
  std::string text = kLeast + more;
  if (!from.empty()) text.replace(text.find(from), from.size(), to);
  const auto file = study_file_from_yaml(text);
  return file.ok() ? "none" : file.error().message();
}

TEST(StudyFileTest, TheLeastThatIsNeeded) {
  const StudyFile file = study_file_from_yaml(kLeast).value();
  EXPECT_THAT(file.command, ElementsAre("python train.py --lr {lr}"));
  EXPECT_TRUE(file.shell);
  EXPECT_EQ(file.metric.goal, curves::Goal::kMaximize);
  EXPECT_EQ(file.fidelity.name, "epoch");
  EXPECT_EQ(file.fidelity.max, 50U);
  EXPECT_EQ(file.space.size(), 1U);
  EXPECT_EQ(file.utility.alpha, 2e-4);
  EXPECT_EQ(file.limits.workers, 1U);
  EXPECT_FALSE(file.limits.wall);
  EXPECT_EQ(file.method, "cmbo");
  EXPECT_EQ(file.pool, 1000U);
  EXPECT_FALSE(file.refine);
  EXPECT_EQ(file.mode, Mode::kSlice);
}

TEST(StudyFileTest, AllThatCanBeSaid) {
  const StudyFile file = study_file_from_yaml(R"(
command: [python, train.py, "--lr={lr}", "{{literal}}", "{checkpoint_dir}"]
metric: {name: loss, goal: minimize, range: [0, null]}
fidelity: {name: step, max: 10}
parameters: {lr: {type: float, low: 1e-5, high: 0.1, log: true, default: 1e-3}}
utility: {tradeoff: "0.1 of loss is worth 2 h"}
limits: {wall: 8 h, cost: 90 min, epochs: 500, disk: 10 GB, workers: 2, trial_timeout: 30 min}
checkpoints: {keep_best: 3, evict: false}
seed: 7
method: asha
model: my.safetensors
pool: 200
refine: true
mode: resident
gpus: [0, GPU-1]
)")
                             .value();
  EXPECT_FALSE(file.shell);
  EXPECT_TRUE(file.refine);
  EXPECT_EQ(file.command.size(), 5U);
  EXPECT_EQ(file.metric.goal, curves::Goal::kMinimize);
  EXPECT_EQ(file.metric.range.low, 0.0);
  EXPECT_FALSE(file.metric.range.high);
  EXPECT_EQ(file.utility.unit, CostUnit::kSeconds);
  EXPECT_DOUBLE_EQ(file.utility.alpha, 0.1 / 7200.0);
  EXPECT_EQ(file.limits.wall, 28800.0);
  EXPECT_EQ(file.limits.cost, 5400.0);
  EXPECT_EQ(file.limits.epochs, 500U);
  EXPECT_EQ(file.limits.disk, 10'000'000'000U);
  EXPECT_EQ(file.limits.workers, 2U);
  EXPECT_EQ(file.limits.trial_timeout, 1800.0);
  EXPECT_EQ(file.checkpoints.keep_best, 3U);
  EXPECT_FALSE(file.checkpoints.evict);
  EXPECT_EQ(file.seed, 7U);
  EXPECT_EQ(file.method, "asha");
  EXPECT_EQ(file.model, "my.safetensors");
  EXPECT_EQ(file.pool, 200U);
  EXPECT_EQ(file.mode, Mode::kResident);
  EXPECT_THAT(file.gpus, ElementsAre("0", "GPU-1"));
}

TEST(StudyFileTest, ErrorsNameTheKeyAndTheRemedy) {
  EXPECT_THAT(file_error("limts: {}"), HasSubstr("no key 'limts' (did you mean 'limits'?)"));
  EXPECT_THAT(file_error("limits: {workrs: 2}"),
              HasSubstr("limits: there is no key 'workrs' (did you mean 'workers'?)"));
  EXPECT_THAT(file_error("limits: {wall: 90}"), HasSubstr("limits.wall: lacks a unit"));
  EXPECT_THAT(file_error("limits: {wall: soon}"), HasSubstr("limits.wall: 'soon' is not a dur"));
  EXPECT_THAT(file_error("limits: {disk: 10}"), HasSubstr("limits.disk: must be text"));
  EXPECT_THAT(file_error("limits: {cost: 2 h}"), HasSubstr("an amount of epochs"));
  EXPECT_THAT(file_error("limits: {workers: 0}"), HasSubstr("limits.workers"));
  EXPECT_THAT(file_error("limits: {epochs: 1.5}"), HasSubstr("limits.epochs"));
  EXPECT_THAT(file_error("mode: fast"), HasSubstr("mode: must be slice or resident"));
  EXPECT_THAT(file_error("seed: -1"), HasSubstr("seed"));
  EXPECT_THAT(file_error("", "name: val_acc", "name: a, goal: best"), HasSubstr("metric.goal"));
  EXPECT_THAT(file_error("", "name: val_acc", "name: a, range: [1, 0]"),
              HasSubstr("metric.range: the low end"));
  EXPECT_THAT(file_error("", "max: 50", "max: 0"), HasSubstr("fidelity.max"));
  EXPECT_THAT(file_error("", "low: 1e-5", "low: 1"), HasSubstr("parameters: lr: low"));
  EXPECT_THAT(file_error("", "{lr}", "{rl}"), HasSubstr("command: {rl} is neither a parameter"));
  EXPECT_THAT(file_error("", "{lr}", "{lr"), HasSubstr("command: a single '{'"));
  EXPECT_THAT(file_error("", "command: python train.py --lr {lr}", ""),
              HasSubstr("the key 'command' is missing"));
  EXPECT_THAT(file_error("gpus: [[]]"), HasSubstr("gpus[0]"));
}

TEST(StudyFileTest, WhatMayChangeInTheMiddle) {
  const StudyFile before = study_file_from_yaml(kLeast).value();
  StudyFile after = before;
  after.limits.epochs = 7;
  after.utility.alpha = 1;
  EXPECT_TRUE(check_continues(before, after).ok());
  after.fidelity.max = 51;
  EXPECT_THAT(check_continues(before, after).error().message(), HasSubstr("fidelity.max: differs"));
  after = before;
  after.metric.goal = curves::Goal::kMinimize;
  EXPECT_THAT(check_continues(before, after).error().message(), HasSubstr("metric.goal"));
}

}  // namespace
}  // namespace cmbo::study
