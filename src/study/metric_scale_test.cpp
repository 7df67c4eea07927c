// SPDX-License-Identifier: Apache-2.0
#include "study/metric_scale.h"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "study/facts_testing.h"

namespace cmbo::study {
namespace {

using testing::HasSubstr;

const Metric kScore{.name = "score"};
const Metric kLossMetric{.name = "loss", .goal = curves::Goal::kMinimize};

TEST(MetricScaleTest, AGivenRangeIsKept) {
  Metric metric = kScore;
  metric.range = {-1.0, 3.0};
  const MetricScale scale = metric_scale(metric, make_facts(1, {{0, {2.0, 7.0}}}));
  EXPECT_EQ(scale.normalization.normalize(-1.0), 0.0);
  EXPECT_EQ(scale.normalization.normalize(3.0), 1.0);
  EXPECT_EQ(scale.normalization.normalize(7.0), 1.0);
  EXPECT_EQ(scale.how, "score goes from -1 to 3, as the study file says");
}

TEST(MetricScaleTest, AShareUntilAValueFallsOutside) {
  EXPECT_THAT(metric_scale(kScore, make_facts(1, {})).how, HasSubstr("a share"));
  const MetricScale share = metric_scale(kScore, make_facts(1, {{0, {0.0, 1.0, 0.25}}}));
  EXPECT_THAT(share.how, HasSubstr("a share"));
  EXPECT_NEAR(share.normalization.invert(share.normalization.normalize(0.25)), 0.25, 1e-12);
  const MetricScale other = metric_scale(kScore, make_facts(1, {{0, {0.5, 1.0, 40.0, 90.0}}}));
  EXPECT_THAT(other.how, HasSubstr("has no known range"));
  const auto& n = other.normalization;
  EXPECT_LT(n.normalize(0.5), n.normalize(1.0)) << "what was seen before is told apart still";
  EXPECT_LT(n.normalize(40.0), n.normalize(90.0));
  EXPECT_LT(n.normalize(90.0), n.normalize(200.0)) << "there is room above";
}

TEST(MetricScaleTest, ALossBeginsWhereTrainingBegins) {
  const Facts facts = make_facts(4, {{0, {2.0, 0.5}}, {1, {2.4}}, {2, {1e9}}, {3, {std::nan("")}}});
  const MetricScale scale = metric_scale(kLossMetric, facts);
  EXPECT_EQ(scale.normalization.bounds().soft_high, 2.4) << "one that explodes does not matter";
  EXPECT_EQ(scale.normalization.normalize(0.0), 1.0);
  EXPECT_GT(scale.normalization.normalize(0.5), scale.normalization.normalize(2.0));
  EXPECT_LT(scale.normalization.normalize(1e9), 1e-9);
  EXPECT_THAT(scale.how, HasSubstr("loss is taken for a loss: 0 is best, and 2.4"));
}

TEST(MetricScaleTest, ValuesThatAreAllAlikeOrOpenRangesAreNoProblem) {
  EXPECT_EQ(metric_scale(kScore, make_facts(1, {{0, {5.0, 5.0}}})).normalization.normalize(5.0),
            0.5);
  Metric metric = kScore;
  metric.range.low = 3.0;
  const MetricScale scale = metric_scale(metric, make_facts(1, {{0, {3.0, 3.0, 4.0}}}));
  EXPECT_EQ(scale.normalization.normalize(3.0), 0.0);
  const MetricScale beyond = metric_scale(metric, make_facts(1, {{0, {2.0, 3.0, 4.0}}}));
  EXPECT_EQ(beyond.normalization.normalize(2.0), 0.0);
  EXPECT_GT(beyond.normalization.normalize(3.0), 0.0) << "values are right, ranges may be wrong";
  EXPECT_THAT(metric_scale({.name = "x", .goal = curves::Goal::kMinimize}, make_facts(1, {})).how,
              HasSubstr("a loss"));
}

}  // namespace
}  // namespace cmbo::study
