// SPDX-License-Identifier: Apache-2.0
#include "base/json_view.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cmbo {
namespace {

using testing::HasSubstr;

TEST(JsonViewTest, AWrongKeySuggestsTheNearestOne) {
  const Json json = parse_json(R"({"limits": {"workrs": 2}})").value();
  const JsonView root(json), limits = root.key("limits");
  EXPECT_EQ(limits.check_keys({}, {"wall", "workers"}).error().message(),
            "limits: there is no key 'workrs' (did you mean 'workers'?); known are wall, workers");
}

TEST(JsonViewTest, NothingIsSuggestedForAKeyThatIsLikeNone) {
  const Json json = parse_json(R"({"colour": 2})").value();
  EXPECT_EQ(JsonView(json).check_keys({}, {"wall", "workers"}).error().message(),
            "there is no key 'colour'; known are wall, workers");
  EXPECT_EQ(JsonView(json).check_keys({}).error().message(),
            "there is no key 'colour'; known are ");
}

TEST(JsonViewTest, ErrorsNameThePlace) {
  const Json json = parse_json(R"({"a": [{"b": 1}], "c": true})").value();
  const JsonView root(json), list = root.key("a"), first = list[0];
  EXPECT_THAT(first.key("b").text().error().message(), HasSubstr("a[0].b: must be text"));
  EXPECT_THAT(first.key("b").flag().error().message(), HasSubstr("a[0].b: must be true or false"));
  EXPECT_EQ(root.key("c").flag().value(), true);
  EXPECT_THAT(root.check_keys({"a", "c", "d"}).error().message(), HasSubstr("'d' is missing"));
}

}  // namespace
}  // namespace cmbo
