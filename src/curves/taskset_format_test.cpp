// SPDX-License-Identifier: Apache-2.0
#include <cmath>
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

constexpr const char* kName = "some/where/Associative_GRU32_bs32.json";

std::string hp(const std::string& learning_rate, const std::string& l1 = "1e-8") {
  return fmt::format(
      R"({{"learning_rate": {}, "beta1": 0.9, "beta2": 0.99, "epsilon": 1e-6, "l1": {}, "l2": 1e-6,
           "linear_decay": 1e-5, "exponential_decay": 1e-4}})",
      learning_rate, l1);
}

std::string taskset_entry(const std::string& hps, const std::string& valid) {
  return fmt::format(
      R"({{"hp": {}, "train": {{"loss": [NaN, 2]}}, "valid": {}, "test": {{"loss": []}}}})", hps,
      valid);
}

std::string taskset_outcome(const std::string& text, size_t portion = 1 << 20) {
  PortionedSource source(text, portion);
  return outcome_of(source,
                    [](ByteSource& s, CurveSet& set) { return read_taskset(s, kName, set); });
}

TEST(TasksetTest, ReadsAListOfRuns) {
  const std::string text = "[" + taskset_entry(hp("1e-3"), R"({"loss": [9.5, 3, NaN]})") + "," +
                           taskset_entry(hp("0.1"), "[8, Infinity, 1e300]") + "]";
  CurveSet set;
  ASSERT_TRUE(read_taskset(*source_from_string(text), kName, set).ok());
  const Task& task = set.tasks.at(0);
  EXPECT_EQ(task.name(), "Associative_GRU32_bs32");
  EXPECT_EQ(task.header().metric, "valid_loss");
  EXPECT_EQ(task.header().goal, Goal::kMinimize);
  EXPECT_EQ(task.header().first_epoch, 0);
  EXPECT_EQ(task.header().last_epoch, 2);
  ASSERT_EQ(task.size(), 2u);
  EXPECT_FLOAT_EQ(task.curve(0)[0], 9.5f);
  EXPECT_TRUE(std::isnan(task.curve(0)[2]));
  EXPECT_TRUE(std::isnan(task.curve(1)[1]));
  EXPECT_TRUE(std::isnan(task.curve(1)[2]));  // more than single precision holds
  const Json space = task.space().to_json();
  EXPECT_EQ(space["learning_rate"].dump(), R"({"type":"float","low":0.001,"high":0.1,"log":true})");
  EXPECT_EQ(space["beta1"].dump(), R"({"type":"float","low":0.9,"high":0.9,"log":false})");
  EXPECT_EQ(task.configuration(1)[0], 0.1);
}

TEST(TasksetTest, UsesALinearScaleWhereZeroOccurs) {
  CurveSet set;
  const std::string text =
      "[" + taskset_entry(hp("1", "0"), "[1, 2]") + "," + taskset_entry(hp("2"), "[1, 2]") + "]";
  ASSERT_TRUE(read_taskset(*source_from_string(text), kName, set).ok());
  EXPECT_EQ(set.tasks.at(0).space().to_json()["l1"].dump(),
            R"({"type":"float","low":0.0,"high":1e-08,"log":false})");
}

TEST(TasksetTest, IsTheSameInSmallPortions) {
  const std::string text = "[" + taskset_entry(hp("1e-3"), R"({"loss": [-Infinity, 3, NaN]})") +
                           "," + taskset_entry(hp("2"), "[8, Infinity]") + "]";
  const std::string whole = taskset_outcome(text);
  EXPECT_THAT(whole, HasSubstr(" nan 3.000000 nan"));
  for (const size_t portion : {1, 2, 3, 7})
    EXPECT_EQ(taskset_outcome(text, portion), whole) << portion;
}

TEST(TasksetTest, StripsBothExtensions) {
  CurveSet set;
  const std::string text = "[" + taskset_entry(hp("1"), "[1, 2]") + "]";
  ASSERT_TRUE(read_taskset(*source_from_string(text), "a/b.c_bs1.json.gz", set).ok());
  EXPECT_EQ(set.tasks.at(0).name(), "b.c_bs1");
  const Status again = read_taskset(*source_from_string(text), "x/b.c_bs1.json", set);
  ASSERT_FALSE(again.ok());
  EXPECT_THAT(again.error().message(),
              AllOf(StartsWith("x/b.c_bs1.json: "), HasSubstr("stands twice; rename")));
}

TEST(TasksetTest, NamesThePlaceOfWhatIsWrong) {
  const std::string good = taskset_entry(hp("1"), "[1, 2]");
  const auto second = [&](const std::string& text) {
    return taskset_outcome("[" + good + "," + text + "]");
  };
  EXPECT_THAT(second(taskset_entry(hp("1"), "{\"loss\": [1, \"NaN\"]}")),
              AllOf(StartsWith(std::string(kName) + ": [1].valid: loss: value 1 "),
                    HasSubstr("write null")));
  EXPECT_THAT(second(taskset_entry(hp("\"0.1\""), "[1]")),
              AllOf(HasSubstr("[1].hp: 'learning_rate' must be a number, not text"),
                    HasSubstr("correct it")));
  EXPECT_THAT(second(taskset_entry(hp("NaN"), "[1]")), HasSubstr("must be a number, not null"));
  EXPECT_THAT(second(taskset_entry("{\"momentum\": 1}", "[1]")),
              HasSubstr("'momentum' is not a hyperparameter"));
  EXPECT_THAT(second(taskset_entry("{\"l1\": 1}", "[1]")),
              HasSubstr("'learning_rate' is missing here"));
  EXPECT_THAT(second(taskset_entry("3", "[1]")),
              HasSubstr("[1].hp: must be an object, not a number"));
  EXPECT_THAT(second(taskset_entry(hp("1"), "{}")), HasSubstr("[1].valid: 'loss' is missing; add"));
  EXPECT_THAT(second("{\"hp\": " + hp("1") + "}"), HasSubstr("[1]: 'valid' is missing; add"));
  EXPECT_THAT(second("{\"valid\": [1]}"), HasSubstr("[1]: 'hp' is missing; add"));
  EXPECT_THAT(second("{\"valid\": [1], \"valid\": [1]}"),
              HasSubstr("[1].valid: the key stands twice"));
  EXPECT_THAT(second("7"), HasSubstr("[1]: must be an object, not a number"));
  EXPECT_THAT(second(taskset_entry(hp("-1e308"), "[1]")), Not(HasSubstr("too wide")));
}

TEST(TasksetTest, RefusesOtherShapes) {
  EXPECT_THAT(taskset_outcome("[]"), HasSubstr("the list is empty; fetch"));
  EXPECT_THAT(taskset_outcome("{}"), HasSubstr("must be a list, not an object"));
  EXPECT_THAT(taskset_outcome(""), HasSubstr("not valid JSON at byte 0"));
  EXPECT_THAT(taskset_outcome("[" + taskset_entry(hp("1"), "[1]") + "]"),
              HasSubstr("no curve goes beyond epoch 0"));
  EXPECT_THAT(taskset_outcome("[" + taskset_entry(hp("1e308"), "[1, 2]") + "," +
                              taskset_entry(hp("-1e308"), "[1, 2]") + "]"),
              HasSubstr("too wide"));
  CurveSet set;
  EXPECT_THAT(read_taskset(*source_from_string("[]"), "\xff.json", set).error().message(),
              HasSubstr("rename the file"));
}

}  // namespace
}  // namespace cmbo::curves
