// SPDX-License-Identifier: Apache-2.0
#include "base/result.h"

#include <gtest/gtest.h>
#include <memory>

namespace cmbo {
namespace {

Result<int> half(int value) {
  if (value % 2 != 0) return Error("odd");
  return value / 2;
}

Result<int> quarter(int value) {
  CMBO_TRY(const int once, half(value));
  CMBO_TRY(const int twice, half(once));
  return twice;
}

Status is_even(int value) {
  CMBO_RETURN_IF_ERROR(half(value));
  return {};
}

TEST(ResultTest, PassesValuesAndErrorsOn) {
  EXPECT_EQ(quarter(12).value(), 3);
  EXPECT_EQ(quarter(6).error().message(), "odd");
  EXPECT_TRUE(is_even(4).ok());
  EXPECT_EQ(is_even(5).error().within("five").message(), "five: odd");
}

TEST(ResultTest, HoldsMoveOnlyValues) {
  Result<std::unique_ptr<int>> result = std::make_unique<int>(7);
  const std::unique_ptr<int> taken = std::move(result).value();
  EXPECT_EQ(*taken, 7);
}

TEST(ResultDeathTest, ReadingTheWrongSideAborts) {
  EXPECT_DEATH((void)half(3).value(), "failed Result: odd");
  EXPECT_DEATH((void)half(2).error(), "holds a value");
}

}  // namespace
}  // namespace cmbo
