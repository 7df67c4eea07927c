// SPDX-License-Identifier: Apache-2.0
#include "cli/enqueue_input.h"

#include <gmock/gmock.h>

namespace cmbo::cli {

namespace {

using testing::HasSubstr;

space::Space test_space() {
  return space::Space::from_yaml(R"(
lr: {type: float, low: 1e-4, high: 1, log: true}
size: {type: categorical, choices: ["1", "2"]}
optimizer: {type: categorical, choices: [sgd, adam], default: sgd}
momentum: {type: float, low: 0, high: 1, default: 0.9, when: {optimizer: sgd}}
)")
      .value();
}

Result<std::vector<Json>> parse(const std::vector<std::string>& words) {
  return parse_configurations(words, test_space());
}

TEST(EnqueueInput, ReadsWordsAndFillsInDefaults) {
  const auto all = parse({"lr=0.01", "size=2"}).value();
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0], (Json{{"lr", 0.01}, {"size", "2"}, {"optimizer", "sgd"}, {"momentum", 0.9}}));
}

TEST(EnqueueInput, LeavesOutDefaultsThatWouldBeInactive) {
  const auto all = parse({"lr=0.01", "size=1", "optimizer=adam"}).value();
  EXPECT_EQ(all[0], (Json{{"lr", 0.01}, {"size", "1"}, {"optimizer", "adam"}}));
}

TEST(EnqueueInput, ReadsJson) {
  EXPECT_EQ(parse({R"({"lr": 0.5, "size": "1"})"})->size(), 1U);
  const auto all = parse({R"({"lr": 0.5, "size": "1"})", R"({"lr": 1, "size": "2"})"}).value();
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[1]["lr"], 1.0);
}

TEST(EnqueueInput, NamesWhatIsWrong) {
  EXPECT_THAT(parse({"lr"}).error().message(), HasSubstr("'lr' is not like"));
  EXPECT_THAT(parse({"rl=1"}).error().message(), HasSubstr("'rl' is not a parameter"));
  EXPECT_THAT(parse({"lr=1", "lr=1"}).error().message(), HasSubstr("twice"));
  EXPECT_THAT(parse({"lr=7", "size=1"}).error().message(), HasSubstr("lr"));
  EXPECT_THAT(parse({"lr=0.1"}).error().message(), HasSubstr("size"));
  EXPECT_FALSE(parse({"{"}).ok());
  EXPECT_FALSE(parse({"{\"lr\": 0.5, \"size\": \"1\"}", "3"}).ok());
}

}  // namespace

}  // namespace cmbo::cli
