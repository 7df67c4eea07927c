// SPDX-License-Identifier: Apache-2.0
#include "base/suggestion.h"

#include <gtest/gtest.h>

namespace cmbo {
namespace {

TEST(Suggestion, IsTheNearestWord) {
  EXPECT_EQ(suggestion({"train", "trials", "tune"}, "tuen"), " (did you mean 'tune'?)");
  EXPECT_EQ(suggestion({"train", "trials", "tune"}, "trals"), " (did you mean 'trials'?)");
  EXPECT_EQ(suggestion({"ab", "ac"}, "ad"), " (did you mean 'ab'?)");
}

TEST(Suggestion, IsNothingWhereNoWordIsNear) {
  EXPECT_EQ(suggestion({"train", "tune"}, "frobnicate"), "");
  EXPECT_EQ(suggestion({}, "tune"), "");
}

}  // namespace
}  // namespace cmbo
