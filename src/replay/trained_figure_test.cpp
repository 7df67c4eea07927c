// SPDX-License-Identifier: Apache-2.0
#include "replay/trained_figure.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cmbo::replay {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

RunRecord run_with(double from, double to) {
  RunRecord record;
  record.key.method = "toy";
  for (int b = 0; b < 100; ++b) {
    const double value = from + (to - from) * b / 100.0;
    record.outcome.steps.push_back({.configuration = 1.0, .epoch = b + 1.0, .value = value});
  }
  return record;
}

TEST(TrainedFigureTest, ColoursMeanTheSameInAllPictures) {
  const RunRecord low = run_with(0.0, 0.5), high = run_with(0.5, 1.0);
  const RunRecord* const runs[] = {&low, &high};
  const std::vector<std::string> svgs = trained_svgs(runs);
  ASSERT_EQ(svgs.size(), 2U);
  EXPECT_THAT(svgs[0], HasSubstr("0 to 0.5"));
  EXPECT_THAT(svgs[0], Not(HasSubstr("from 0.97")));
  EXPECT_THAT(svgs[1], HasSubstr("0.5 to 0.75"));
  EXPECT_THAT(svgs[1], HasSubstr("value from 0.97"));
}

}  // namespace
}  // namespace cmbo::replay
