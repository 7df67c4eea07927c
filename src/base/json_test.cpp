// SPDX-License-Identifier: Apache-2.0
#include "base/json.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cmbo {
namespace {

using ::testing::HasSubstr;

std::string problem(std::string_view text) {
  const auto result = parse_json(text);
  return result.ok() ? "no problem" : result.error().message();
}

TEST(JsonTest, KeepsTheOrderOfKeys) {
  const Json value = parse_json(R"({"z": 1, "a": [true, null, "x", -2.5]})").value();
  EXPECT_EQ(value.dump(), R"({"z":1,"a":[true,null,"x",-2.5]})");
}

TEST(JsonTest, RefusesWhatIsNotStrict) {
  EXPECT_THAT(problem(R"({"a": 1, "a": 2})"), HasSubstr("the key 'a' stands twice"));
  EXPECT_THAT(problem(R"([1, 2)"), HasSubstr("not valid JSON at byte"));
  EXPECT_THAT(problem(R"([NaN])"), HasSubstr("not valid JSON at byte"));
  EXPECT_THAT(problem("[1] [2]"), HasSubstr("not valid JSON at byte"));
  EXPECT_THAT(problem(""), HasSubstr("not valid JSON at byte"));
  EXPECT_THAT(problem(std::string_view("{}\0x", 4)), HasSubstr("at byte 3: a NUL character"));
  EXPECT_THAT(problem("\"\xff\""), HasSubstr("UTF-8"));
  EXPECT_THAT(problem("[1e999]"), HasSubstr("number"));
  EXPECT_THAT(problem(std::string(1000, '[')), HasSubstr("nested deeper"));
}

TEST(JsonTest, RefusesObjectsOfTooManyKeys) {
  std::string text = "{";
  for (size_t i = 0; i <= kMaxJsonKeys; ++i) text += fmt::format("\"{}\":0,", i);
  text.back() = '}';
  EXPECT_THAT(problem(text), HasSubstr("more than 10000 keys"));
}

}  // namespace
}  // namespace cmbo
