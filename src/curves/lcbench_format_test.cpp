// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "curves/format_testing.h"
#include "curves/formats.h"

namespace cmbo::curves {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr const char* kConfig =
    R"({"batch_size": 71, "imputation_strategy": "mean", "learning_rate": 0.0023, "momentum": 0.5,
        "weight_decay": 0.06, "num_layers": 4, "max_units": 193, "max_dropout": 0.78,
        "normalization_strategy": "standardize", "network": "shapedmlpnet"})";

std::string lcbench_entry(const std::string& curve, const std::string& config = kConfig) {
  return fmt::format(
      R"({{"config": {}, "log": {{"time": [0.5, 1.5, {{"a": [NaN]}}], "Train/loss": [1, NaN, 3],
           "Train/val_balanced_accuracy": {}}}, "results": {{"final": 3}}, "model": null}})",
      config, curve);
}

std::string lcbench_outcome(const std::string& text, size_t portion = 1 << 20) {
  PortionedSource source(text, portion);
  return outcome_of(
      source, [](ByteSource& s, CurveSet& set) { return read_lcbench(s, "data_2k.json", set); });
}

CurveSet lcbench_curves(const std::string& text) {
  CurveSet set;
  const Status status = read_lcbench(*source_from_string(text), "data_2k.json", set);
  EXPECT_TRUE(status.ok()) << status.error().message();
  return set;
}

std::string one_task(const std::string& entries) {
  return fmt::format(R"({{"APSFailure": {{{}}}}})", entries);
}

TEST(LcbenchTest, ReadsDatasetsAsPublished) {
  const CurveSet set = lcbench_curves(fmt::format(
      R"({{"APSFailure": {{"0": {}, "1": {}}}, "Amazon": {{"0": {}}}}})",
      lcbench_entry("[50, 75.5, 80]"), lcbench_entry("[10, 20]"), lcbench_entry("[0.5, 0.25]")));
  ASSERT_EQ(set.tasks.size(), 2u);
  const Task& task = set.tasks[0];
  EXPECT_EQ(task.name(), "APSFailure");
  EXPECT_EQ(task.header().metric, "val_balanced_accuracy");
  EXPECT_EQ(task.header().goal, Goal::kMaximize);
  EXPECT_EQ(task.header().first_epoch, 0);
  EXPECT_EQ(task.header().last_epoch, 2);
  ASSERT_EQ(task.size(), 2u);
  EXPECT_FLOAT_EQ(task.curve(0)[1], 0.755f);
  EXPECT_EQ(task.curve(1).size(), 2u);
  EXPECT_EQ(task.space().configuration_to_json(task.configuration(0)).dump(),
            R"({"batch_size":71,"learning_rate":0.0023,"momentum":0.5,"weight_decay":0.06,)"
            R"("num_layers":4,"max_units":193,"max_dropout":0.78})");
  // The file is in percent, hence this dataset too although nothing in it is above 1.
  EXPECT_FLOAT_EQ(set.tasks[1].curve(0)[1], 0.0025f);
}

TEST(LcbenchTest, LeavesSharesOfOneAlone) {
  const CurveSet set = lcbench_curves(one_task("\"0\": " + lcbench_entry("[0.5, 1.0]")));
  EXPECT_FLOAT_EQ(set.tasks[0].curve(0)[1], 1.0f);
}

TEST(LcbenchTest, TakesTheCurveFromResultsAndNumbersInQuotes) {
  const CurveSet set =
      lcbench_curves(one_task(R"("0": {"results": {"Train/val_balanced_accuracy": [1, NaN, 50]},
      "config": {"batch_size": "16", "learning_rate": "1e-4", "momentum": 0.5, "weight_decay": 0.06,
                 "num_layers": 4.0, "max_units": 193, "max_dropout": 0.78}})"));
  ASSERT_EQ(set.tasks[0].curve(0).size(), 3u);
  EXPECT_TRUE(std::isnan(set.tasks[0].curve(0)[1]));
  EXPECT_FLOAT_EQ(set.tasks[0].curve(0)[2], 0.5f);
  EXPECT_EQ(set.tasks[0].configuration(0)[0], 16.0);
}

TEST(LcbenchTest, PrefersTheLogAndIgnoresSummaries) {
  const std::string both = fmt::format(
      R"("0": {{"results": {{"Train/val_balanced_accuracy": [1, 2]}}, "config": {},
                "log": {{"Train/val_balanced_accuracy": [50, 60]}}}},
         "1": {{"results": {{"Train/val_balanced_accuracy": 99.5}}, "config": {},
                "log": {{"Train/val_balanced_accuracy": [70, 80]}}}})",
      kConfig, kConfig);
  const CurveSet set = lcbench_curves(one_task(both));
  EXPECT_FLOAT_EQ(set.tasks[0].curve(0)[1], 0.6f);
  EXPECT_FLOAT_EQ(set.tasks[0].curve(1)[1], 0.8f);
}

TEST(LcbenchTest, IsTheSameInSmallPortions) {
  const std::string text = one_task("\"0\": " + lcbench_entry("[50, -Infinity, 80]") +
                                    ", \"\\u00e9\\\"N\": " + lcbench_entry("[Infinity, NaN]"));
  const std::string whole = lcbench_outcome(text);
  EXPECT_THAT(whole, HasSubstr("0.500000 nan 0.800000"));
  for (const size_t portion : {1, 2, 3, 7})
    EXPECT_EQ(lcbench_outcome(text, portion), whole) << portion;
  // Cut anywhere: an error with the file's name, never a crash or a shorter result.
  for (size_t length = 0; length + 1 < text.size(); ++length) {
    EXPECT_THAT(lcbench_outcome(text.substr(0, length), 5),
                AllOf(StartsWith("data_2k.json: "), HasSubstr("fetch it again")));
  }
}

TEST(LcbenchTest, NamesThePlaceOfWhatIsWrong) {
  const auto place = [](const std::string& curve) {
    return lcbench_outcome(one_task("\"17\": " + lcbench_entry(curve)));
  };
  EXPECT_THAT(
      place("[50, \"NaN\"]"),
      AllOf(StartsWith("data_2k.json: APSFailure.17.log.Train/val_balanced_accuracy: value 1 "),
            HasSubstr("write null")));
  EXPECT_THAT(place("[50, 101]"),
              AllOf(StartsWith("data_2k.json: APSFailure: 17: "), HasSubstr("outside its range")));
  EXPECT_THAT(place("[]"), HasSubstr("the curve is empty"));
  EXPECT_THAT(place("[1]"), HasSubstr("no curve goes beyond epoch 0"));
  EXPECT_THAT(place("{}"), HasSubstr("must be a list of numbers, not an object"));
  EXPECT_THAT(place("[1, 2"), HasSubstr("not valid JSON at byte"));
  EXPECT_THAT(place("[1e999]"), HasSubstr("number overflow"));
}

TEST(LcbenchTest, NamesWrongHyperparameters) {
  const auto with = [](const std::string& from, const std::string& to) {
    std::string config = kConfig;
    config.replace(config.find(from), from.size(), to);
    return lcbench_outcome(one_task("\"17\": " + lcbench_entry("[50, 60]", config)));
  };
  EXPECT_THAT(with("71", "7"),
              AllOf(StartsWith("data_2k.json: APSFailure.17.config: 'batch_size' = 7"),
                    HasSubstr("correct")));
  EXPECT_THAT(with("71", "\"NaN\""), HasSubstr("'batch_size' must be a number, not text"));
  EXPECT_THAT(with("71", "71.5"), HasSubstr("whole numbers"));
  EXPECT_THAT(with("\"batch_size\"", "\"batch\""), HasSubstr("'batch_size' is missing; give"));
  EXPECT_THAT(with("\"momentum\"", "\"batch_size\""),
              HasSubstr("'batch_size' stands twice; remove"));
}

TEST(LcbenchTest, RefusesOtherShapes) {
  const std::string good = lcbench_entry("[50, 60]");
  EXPECT_THAT(lcbench_outcome(one_task("\"1\": " + good + ", \"1\": " + good)),
              StartsWith("data_2k.json: APSFailure.1: the key stands twice; remove one"));
  EXPECT_THAT(lcbench_outcome(fmt::format(R"({{"a": {{"1": {}}}, "a": {{}}}})", good)),
              StartsWith("data_2k.json: a: the key stands twice"));
  EXPECT_THAT(lcbench_outcome("{}"), HasSubstr("holds no dataset; fetch"));
  EXPECT_THAT(lcbench_outcome(""), HasSubstr("not valid JSON at byte 0"));
  EXPECT_THAT(lcbench_outcome("[]"), HasSubstr("must be an object, not a list"));
  EXPECT_THAT(lcbench_outcome("{\"a\": 3}"),
              StartsWith("data_2k.json: a: must be an object, not a number"));
  EXPECT_THAT(lcbench_outcome("{\"a\": {}}"), HasSubstr("no configuration; remove it"));
  EXPECT_THAT(lcbench_outcome("{\"a\": {\"1\": {}}}"),
              StartsWith("data_2k.json: a.1: 'config' is missing"));
  EXPECT_THAT(lcbench_outcome(one_task(fmt::format("\"1\": {{\"config\": {}}}", kConfig))),
              HasSubstr("'Train/val_balanced_accuracy' is missing"));
  EXPECT_THAT(lcbench_outcome(one_task("\"1\": " + good) + "x"), HasSubstr("not valid JSON"));
  EXPECT_THAT(lcbench_outcome("{\"a\xff\": 1}"), HasSubstr("UTF-8"));
}

TEST(LcbenchTest, SkipsWhatIsNotWanted) {
  const std::string odd = R"("x": {"a": ["]}\\", "\"[", {}, [[]]], "b": NaN}, "y": [], "z": "]", )";
  std::string text = one_task("\"0\": " + lcbench_entry("[50, 60]"));
  const std::string plain = lcbench_outcome(text);
  text.insert(text.find("\"config\""), odd);
  EXPECT_EQ(lcbench_outcome(text), plain);
  EXPECT_EQ(lcbench_outcome(text, 1), plain);
  EXPECT_THAT(
      lcbench_outcome("{\"a\": {\"1\": {\"x\": [1}}}}"),
      AllOf(StartsWith("data_2k.json: a.1.x: not valid JSON"), HasSubstr("fetch it again")));
  EXPECT_THAT(lcbench_outcome("{\"a\": {\"1\": {\"x\": " + std::string(100'000, '[')),
              HasSubstr("not valid JSON at byte 100018"));
}

TEST(LcbenchTest, RefusesAbsurdSizes) {
  EXPECT_THAT(lcbench_outcome("{\"a\": {\"1\": {\"config\": " + std::string(100'000, '[')),
              HasSubstr("nested deeper"));
  EXPECT_THAT(lcbench_outcome("{\"" + std::string(2 << 20, 'x')),
              HasSubstr("a text or number of more than 1 MiB"));
  EXPECT_THAT(lcbench_outcome("{\"a\": {\"1\": {\"x\": " + std::string(2 << 20, '1')),
              AllOf(StartsWith("data_2k.json: a.1"), HasSubstr("more than 1 MiB")));
  std::string curve = "[0";
  for (int i = 0; i < 150'000; ++i) curve += ",0";
  EXPECT_THAT(lcbench_outcome(one_task("\"1\": " + lcbench_entry(curve + "]"))),
              HasSubstr("more than 131072 values"));
}

TEST(LcbenchTest, ReportsAFailingDisk) {
  const std::string text = one_task("\"0\": " + lcbench_entry("[50, 60]"));
  for (const size_t fail_after : {0, 5, 100}) {
    PortionedSource source(text, 5, fail_after);
    CurveSet set;
    const Status status = read_lcbench(source, "data_2k.json", set);
    ASSERT_FALSE(status.ok());
    EXPECT_THAT(status.error().message(),
                AllOf(StartsWith("data_2k.json: "), HasSubstr("the disk is gone")));
  }
}

}  // namespace
}  // namespace cmbo::curves
