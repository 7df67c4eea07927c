// SPDX-License-Identifier: Apache-2.0
#include "study/utility_spec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "space/yaml.h"

namespace cmbo::study {
namespace {

using testing::HasSubstr;

const Metric kAccuracy{.name = "acc"};
const Metric kLoss{.name = "loss", .goal = curves::Goal::kMinimize};

Result<UtilitySpec> read_spec(const std::string& text, const Metric& metric = kAccuracy) {
  const Json json = space::yaml_to_json(text).value();
  return utility_spec_from_json(JsonView(json), metric);
}

std::string spec_error(const std::string& text, const Metric& metric = kAccuracy) {
  const auto spec = read_spec(text, metric);
  return spec.ok() ? "none" : spec.error().message();
}

curves::Normalization scale(const curves::Bounds& bounds, const Metric& metric) {
  return curves::Normalization::create(bounds, metric.goal).value();
}
const curves::Bounds kShare{0.0, 1.0, 0.0, 1.0};

TEST(UtilitySpecTest, AlphaIsThePapers) {
  const UtilitySpec spec = read_spec("{alpha: 2e-4}").value();
  EXPECT_EQ(spec.unit, CostUnit::kEpochs);
  const decide::Utility utility = utility_over(spec, scale(kShare, kAccuracy)).value();
  EXPECT_DOUBLE_EQ(utility(100, 0.5), 0.48) << "of the normalized metric";
  EXPECT_DOUBLE_EQ(utility_over(spec, scale(kShare, kAccuracy), 0.5).value()(100, 0.5), 0.49);
  EXPECT_EQ(utility_text(spec, kAccuracy), "alpha 0.0002 per epoch");
}

TEST(UtilitySpecTest, AlphaPerHour) {
  const UtilitySpec spec = read_spec("{alpha: 0.1, per: h}").value();
  EXPECT_EQ(spec.unit, CostUnit::kSeconds);
  EXPECT_DOUBLE_EQ(utility_over(spec, scale(kShare, kAccuracy)).value()(7200, 0.5), 0.3);
  EXPECT_EQ(utility_text(spec, kAccuracy, 0.5), "alpha 0.05 per h");
}

TEST(UtilitySpecTest, Power) {
  const UtilitySpec spec = read_spec("{alpha: 0.06, c: 2, budget: 300}").value();
  EXPECT_DOUBLE_EQ(utility_over(spec, scale(kShare, kAccuracy)).value()(150, 0.5), 0.485);
  const UtilitySpec hours = read_spec("{alpha: 0.06, c: 2, budget: 3, per: h}").value();
  EXPECT_DOUBLE_EQ(hours.budget, 10800.0);
  EXPECT_EQ(utility_text(hours, kAccuracy), "alpha 0.06, c 2, budget 3 h");
}

// Whatever the normalization: 0.01 more for 2 hours more is worth exactly nothing.
TEST(UtilitySpecTest, ATradeoffMeansTheSameHoweverTheMetricIsNormalized) {
  const UtilitySpec spec = read_spec("{tradeoff: 0.01 of acc is worth 2 h}").value();
  for (const curves::Bounds& bounds :
       {kShare, curves::Bounds{0.0, 1.0, 0.2, 0.9}, curves::Bounds{.soft_low = 0.3}}) {
    const curves::Normalization normalization = scale(bounds, kAccuracy);
    const decide::Utility utility = utility_over(spec, normalization).value();
    const double before = utility(3600, normalization.normalize(0.60));
    const double after = utility(3600 + 2 * 3600, normalization.normalize(0.61));
    EXPECT_NEAR(before, after, 3e-4) << bounds.soft_low;
    EXPECT_LT(utility(7200, normalization.normalize(0.60)), before);
  }
  EXPECT_EQ(utility_text(spec, kAccuracy), "0.01 of acc is worth 2 h");
  EXPECT_EQ(utility_text(spec, kAccuracy, 0.5), "0.01 of acc is worth 4 h");
}

TEST(UtilitySpecTest, ATradeoffOfALoss) {
  const UtilitySpec spec = read_spec("{tradeoff: 0.1 of loss is worth 5 epochs}", kLoss).value();
  const curves::Normalization normalization =
      scale({.hard_low = 0.0, .soft_low = 0.0, .soft_high = 2.3}, kLoss);
  const decide::Utility utility = utility_over(spec, normalization).value();
  EXPECT_NEAR(utility(10, normalization.normalize(1.0)), utility(15, normalization.normalize(0.9)),
              5e-3);
  EXPECT_GT(utility(10, normalization.normalize(0.9)), utility(10, normalization.normalize(1.0)));
}

TEST(UtilitySpecTest, Money) {
  const UtilitySpec spec =
      read_spec("{tradeoff: 0.01 of acc is worth 5 EUR, price: 3.6 EUR per hour}").value();
  EXPECT_EQ(spec.unit, CostUnit::kMoney);
  EXPECT_DOUBLE_EQ(spec.cost_of(1, 1000), 1.0);
  EXPECT_DOUBLE_EQ(spec.alpha, 0.002);
}

TEST(UtilitySpecTest, TablesAreInTheMetricsUnits) {
  const UtilitySpec spec =
      read_spec("{value: [[0.5, 0], [0.8, 1], [0.9, 5]], price_of_cost: [[0, 0], [1, 3]], per: h}")
          .value();
  const curves::Normalization normalization = scale(kShare, kAccuracy);
  const decide::Utility utility = utility_over(spec, normalization).value();
  EXPECT_NEAR(utility(0, normalization.normalize(0.8)), 1.0, 1e-9);
  EXPECT_NEAR(utility(1800, normalization.normalize(0.9)), 3.5, 1e-9);
  const UtilitySpec loss = read_spec("{value: [[0.1, 9], [0.5, 0]]}", kLoss).value();
  const curves::Normalization falling = scale(kShare, kLoss);
  EXPECT_NEAR(utility_over(loss, falling).value()(0, falling.normalize(0.1)), 9.0, 1e-9);
}

TEST(UtilitySpecTest, ErrorsNameTheKey) {
  EXPECT_THAT(spec_error("{alpha: -1}"), HasSubstr("alpha"));
  EXPECT_THAT(spec_error("{alfa: 1}"), HasSubstr("did you mean 'alpha'?"));
  EXPECT_THAT(spec_error("{alpha: 1, c: 2}"), HasSubstr("c and budget belong together"));
  EXPECT_THAT(spec_error("{alpha: 1, per: EUR}"), HasSubstr("add a price"));
  EXPECT_THAT(spec_error("{alpha: 1, per: h, price: 2 per h}"), HasSubstr("price: is not used"));
  EXPECT_THAT(spec_error("{tradeoff: 0.01 of los is worth 2 h}"),
              HasSubstr("0.01 of acc is worth"));
  EXPECT_THAT(spec_error("{tradeoff: 0.01 of acc is worth 2}"), HasSubstr("tradeoff"));
  EXPECT_THAT(spec_error("{tradeoff: 0 of acc is worth 2 h}"), HasSubstr("above 0"));
  EXPECT_THAT(spec_error("{tradeoff: 1 of acc is worth 2 EUR, price: 2 USD per h}"),
              HasSubstr("one currency"));
  EXPECT_THAT(spec_error("{value: [[0.5, 1], [0.6, 0]]}"), HasSubstr("value[1]"));
  EXPECT_THAT(spec_error("{value: [[0.5, 0], [0.6, 1]]}", kLoss), HasSubstr("never fall"));
  EXPECT_THAT(spec_error("cheap"), HasSubstr("must be an object"));
}

}  // namespace
}  // namespace cmbo::study
