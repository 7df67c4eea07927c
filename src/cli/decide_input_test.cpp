// SPDX-License-Identifier: Apache-2.0
#include "cli/decide_input.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cmbo::cli {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

// Two configurations, three epochs; the first has been trained for one.
Json valid() {
  return Json::parse(R"({
    "horizon": 3, "budget": 10, "utility": {"alpha": 0.125},
    "steps": [{"configuration": 0, "epoch": 1, "value": 0.5}],
    "samples": [{"configuration": 0, "curves": [[0.5, 0.75], [0.25, 1]]},
                {"configuration": 1, "curves": [[0, 0.25, 0.5], [0, 0, 0]]}]})");
}

std::string error(const Json& json) {
  const auto input = decide_input_from_json(json);
  return input.ok() ? "none" : input.error().message();
}

// The error after `value` was put at the JSON pointer.
std::string error_with(const char* pointer, const char* value) {
  Json json = valid();
  json[Json::json_pointer(pointer)] = Json::parse(value);
  return error(json);
}

TEST(DecideInputTest, ReadsStepsAndSamples) {
  const DecideInput input = decide_input_from_json(valid()).value();
  EXPECT_EQ(input.configurations, 2U);
  EXPECT_EQ(input.loop.budget, 10);
  EXPECT_EQ(input.utility(2, 0.5), 0.25);
  EXPECT_EQ(input.steps[0].cost, 1.0);
  EXPECT_THAT(input.samples.asked, ElementsAre(0, 1));
  EXPECT_THAT(input.samples.lengths, ElementsAre(1, 0));
  EXPECT_THAT(input.samples.at(0, 2), ElementsAre(0.5F, 0.25F));
  EXPECT_THAT(input.samples.at(0, 3), ElementsAre(0.75F, 1.0F));
  EXPECT_THAT(input.samples.at(1, 2), ElementsAre(0.25F, 0.0F));
}

TEST(DecideInputTest, ReadsEveryUtilityAndRule) {
  Json json = valid();
  json["utility"] = Json::parse(R"({"alpha": 0.5, "exponent": 2})");
  EXPECT_EQ(decide_input_from_json(json).value().utility(5, 0.5), 0.375) << "of the budget, 10";
  json["utility"]["budget"] = 20;
  EXPECT_EQ(decide_input_from_json(json).value().utility(10, 0.5), 0.375);
  json["utility"] = Json::parse(R"({"value": [[0, 0], [1, 2]], "price": [[0, 0], [4, 1]]})");
  EXPECT_EQ(decide_input_from_json(json).value().utility(2, 0.5), 0.5);
  json.erase("stopping");
  EXPECT_EQ(decide_input_from_json(json).value().loop.stopping.by, decide::StopBy::kRegret);
  json["stopping"] = Json::parse(R"({"rule": "look", "beta": 0, "gamma": 2})");
  const decide::StoppingRule rule = decide_input_from_json(json).value().loop.stopping;
  EXPECT_EQ(rule.by, decide::StopBy::kLook);
  EXPECT_THAT((std::vector{rule.beta, rule.gamma}), ElementsAre(0, 2));
  json["stopping"] = Json::parse(R"({"rule": "never"})");
  EXPECT_FALSE(decide_input_from_json(json).value().loop.stopping.enabled);
}

TEST(DecideInputTest, CostsAreThoseOfTheStepElseOfTheConfiguration) {
  Json json = valid();
  json["epoch_costs"] = {2.5, 1};
  EXPECT_EQ(decide_input_from_json(json).value().steps[0].cost, 2.5);
  json["steps"][0]["cost"] = 4;
  EXPECT_EQ(decide_input_from_json(json).value().steps[0].cost, 4);
}

TEST(DecideInputTest, AnErrorNamesItsPlace) {
  EXPECT_THAT(error(Json::array()), HasSubstr("must be an object with the keys horizon, budget"));
  EXPECT_THAT(error_with("/horizont", "3"),
              HasSubstr("no key 'horizont' (did you mean 'horizon'?); known"));
  EXPECT_THAT(error_with("/horizon", "0"), HasSubstr("horizon: is 0; give a number from 1"));
  EXPECT_THAT(error_with("/horizon", "2.5"), HasSubstr("horizon: is 2.5; give a whole number"));
  EXPECT_THAT(error_with("/budget", "\"much\""), HasSubstr("budget: must be a number, not text"));
  EXPECT_THAT(error_with("/budget", "0"), HasSubstr("budget: is 0; give a number above 0"));
  Json json = valid();
  json.erase("steps");
  EXPECT_THAT(error(json), HasSubstr("'steps' is missing"));
}

TEST(DecideInputTest, ErrorsOfUtilityAndRule) {
  EXPECT_THAT(error_with("/utility", "1"), HasSubstr("utility: must be an object"));
  EXPECT_THAT(error_with("/utility/alpha", "-1"), HasSubstr("utility.alpha: is -1"));
  EXPECT_THAT(error_with("/utility/price", "[]"), HasSubstr("utility: there is no key 'alpha'"));
  EXPECT_THAT(error_with("/utility", R"({"price": [[0, 1], [1, 0]]})"),
              HasSubstr("utility.price[1]"));
  EXPECT_THAT(error_with("/utility", R"({"price": [[0]]})"), HasSubstr("utility.price[0]: must"));
  EXPECT_THAT(error_with("/stopping", R"({"rule": "soon"})"), HasSubstr("stopping.rule: must be"));
  EXPECT_THAT(error_with("/stopping", R"({"beta": -1})"), HasSubstr("stopping.beta: is -1"));
}

TEST(DecideInputTest, ErrorsOfSteps) {
  EXPECT_THAT(error_with("/steps", "{}"), HasSubstr("steps: must be a list, not an object"));
  EXPECT_THAT(error_with("/steps/0/epoch", "2"),
              HasSubstr("steps[0].epoch: is 2 after epoch 0 of configuration 0"));
  EXPECT_THAT(error_with("/steps/0/epoch", "4"), HasSubstr("steps[0].epoch: is 4; give"));
  EXPECT_THAT(error_with("/steps/0/value", "1.5"), HasSubstr("steps[0].value: is 1.5; give"));
  EXPECT_THAT(error_with("/steps/0/value", "null"), HasSubstr("steps[0].value: must be a number"));
  EXPECT_THAT(error_with("/steps/0/cost", "0"), HasSubstr("steps[0].cost"));
  EXPECT_THAT(error_with("/steps/0/configuration", "4000000000"),
              AllOf(HasSubstr("steps[0].configuration"), HasSubstr("without gaps")));
}

TEST(DecideInputTest, ErrorsOfSamples) {
  EXPECT_THAT(error_with("/samples/1/curves/0", "[0, 1]"),
              HasSubstr("samples[1].curves[0]: has 2 values; give those of the epochs 1 to 3"));
  EXPECT_THAT(error_with("/samples/0/curves/1/0", "-0.5"), HasSubstr("samples[0].curves[1][0]"));
  EXPECT_THAT(error_with("/samples/1/curves", "[[0, 0, 0]]"),
              HasSubstr("samples[1].curves: has 1 curves, samples[0] has 2"));
  EXPECT_THAT(error_with("/samples/0/curves", "[]"), HasSubstr("samples[0].curves: must have"));
  EXPECT_THAT(error_with("/samples/1/configuration", "0"), HasSubstr("ascending"));
  EXPECT_THAT(error_with("/samples/1/configuration", "2"),
              HasSubstr("samples: configuration 1 is not fully trained and has no curves"));
  EXPECT_THAT(error_with("/epoch_costs", "[1]"), HasSubstr("epoch_costs: has 1 costs for 2"));
  EXPECT_THAT(error_with("/epoch_costs", "[1, -1]"), HasSubstr("epoch_costs[1]: is -1"));
}

TEST(DecideInputTest, AFinishedConfigurationHasNoFuture) {
  Json json = Json::parse(R"({"horizon": 1, "budget": 10, "utility": {"alpha": 0},
    "steps": [{"configuration": 0, "epoch": 1, "value": 0.5}], "samples": []})");
  EXPECT_EQ(error(json), "none");
  json["samples"].push_back({{"configuration", 0}, {"curves", {Json::array()}}});
  EXPECT_THAT(error(json), HasSubstr("samples[0]: configuration 0 is fully trained"));
}

}  // namespace
}  // namespace cmbo::cli
