// SPDX-License-Identifier: Apache-2.0
#include "space/parameter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cmbo::space {
namespace {

using ::testing::HasSubstr;

Parameter number(ParameterType type, double low, double high, bool log = false) {
  Parameter parameter;
  parameter.name = "p";
  parameter.type = type;
  parameter.low = low;
  parameter.high = high;
  parameter.log = log;
  return parameter;
}

TEST(ParameterTest, ScalesFloats) {
  const Parameter linear = number(ParameterType::kFloat, -1, 3);
  EXPECT_DOUBLE_EQ(linear.to_unit(0.0), 0.25);
  EXPECT_DOUBLE_EQ(linear.from_unit(0.25), 0.0);
  const Parameter log = number(ParameterType::kFloat, 1e-4, 1.0, true);
  EXPECT_NEAR(log.to_unit(1e-2), 0.5, 1e-12);
  EXPECT_NEAR(log.from_unit(0.0), 1e-4, 1e-18);
  EXPECT_EQ(log.from_unit(1.0), 1.0);
}

TEST(ParameterTest, IntsRoundTripExactly) {
  for (const bool log : {false, true}) {
    for (const double high : {1.0, 2.0, 7.0, 1000.0}) {
      const Parameter parameter = number(ParameterType::kInt, 1, high, log);
      for (double value = 1; value <= high; ++value) {
        EXPECT_EQ(parameter.from_unit(parameter.to_unit(value)), value);
      }
    }
  }
  const Parameter wide = number(ParameterType::kInt, 1, 0x1.0p48);
  const Parameter wide_log = number(ParameterType::kInt, 1, 1e9, true);
  for (const double value : {1.0, 2.0, 123'456'789.0, 1e9}) {
    EXPECT_EQ(wide.from_unit(wide.to_unit(value)), value);
    EXPECT_EQ(wide_log.from_unit(wide_log.to_unit(value)), value);
  }
}

TEST(ParameterTest, EveryIntGetsItsShareOfTheInterval) {
  const Parameter parameter = number(ParameterType::kInt, 1, 4);
  EXPECT_EQ(parameter.from_unit(0.249), 1);
  EXPECT_EQ(parameter.from_unit(0.251), 2);
  EXPECT_EQ(parameter.from_unit(0.751), 4);
  EXPECT_EQ(parameter.from_unit(1.0), 4);
}

TEST(ParameterTest, StepsMakeAGrid) {
  Parameter parameter = number(ParameterType::kFloat, 0.1, 0.75);
  parameter.step = 0.2;
  EXPECT_EQ(parameter.count(), 4u);
  EXPECT_DOUBLE_EQ(parameter.from_unit(0.99), 0.7);
  EXPECT_TRUE(parameter.parse_value(0.5).ok());
  EXPECT_THAT(parameter.parse_value(0.55).error().message(), HasSubstr("in steps of 0.2"));
}

TEST(ParameterTest, AcceptsRoundingAndNothingMore) {
  const Parameter parameter = number(ParameterType::kFloat, 1.00736426e-08, 9.63, true);
  EXPECT_EQ(parameter.parse_value(1.00736425e-08).value(), 1.00736426e-08);
  EXPECT_THAT(parameter.parse_value(1.0072e-08).error().message(), HasSubstr("outside its range"));
  EXPECT_THAT(parameter.parse_value("NaN").error().message(),
              HasSubstr("must be a number, not text"));
  EXPECT_THAT(number(ParameterType::kInt, 1, 5).parse_value(2.5).error().message(),
              HasSubstr("whole numbers"));
}

}  // namespace
}  // namespace cmbo::space
