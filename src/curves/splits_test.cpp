// SPDX-License-Identifier: Apache-2.0
#include "curves/splits.h"

#include <gtest/gtest.h>
#include <set>

namespace cmbo::curves {
namespace {

TEST(SplitsTest, HaveThePapersSizes) {
  ASSERT_EQ(splits().size(), 3u);
  EXPECT_EQ(find_split("lcbench")->train.size(), 20u);
  EXPECT_EQ(find_split("lcbench")->test.size(), 15u);
  // The paper's text counts 21 training tasks of TaskSet, its list names 20.
  EXPECT_EQ(find_split("taskset")->train.size(), 20u);
  EXPECT_EQ(find_split("taskset")->test.size(), 9u);
  EXPECT_EQ(find_split("pd1")->train.size(), 16u);
  EXPECT_EQ(find_split("pd1")->test.size(), 7u);
  EXPECT_EQ(find_split("imagenet"), nullptr);
}

TEST(SplitsTest, NoTaskIsTrainedOnAndJudged) {
  for (const Split& split : splits()) {
    std::set<std::string_view> names(split.train.begin(), split.train.end());
    names.insert(split.test.begin(), split.test.end());
    EXPECT_EQ(names.size(), split.train.size() + split.test.size()) << split.name;
  }
}

}  // namespace
}  // namespace cmbo::curves
