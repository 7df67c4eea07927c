// SPDX-License-Identifier: Apache-2.0
#include "curves/records.h"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <numeric>

namespace cmbo::curves {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::FloatNear;
using testing::IsEmpty;

constexpr size_t kEpochs = 50;
enum Hint : size_t {
  kKnown,
  kEarly,
  kFifth,
  kHalf,
  kEnd,
  kBest,
  kSpread,
  kBluntEnd,
  kBluntBest,
  kBluntSpread,
  kMisfit
};

// Row n rises from `initial` to ends[n] in a straight line; its coordinate is n / 100.
CurveTable rising(float initial, const std::vector<float>& ends) {
  CurveTable table;
  table.dimensions = 1;
  table.horizon = kEpochs;
  table.initial = initial;
  for (size_t n = 0; n < ends.size(); ++n) {
    const CurveTable::Row row = table.add(kEpochs);
    row.x[0] = static_cast<float>(n) / 100.0F;
    for (size_t t = 0; t < kEpochs; ++t) {
      row.y[t] = std::lerp(initial, ends[n], static_cast<float>(t + 1) / kEpochs);
    }
  }
  return table;
}

// The same task while rows have been observed for so many epochs; the future is there, but wrong.
CurveTable observed_for(CurveTable table, const std::vector<uint32_t>& lengths) {
  for (size_t n = 0; n < lengths.size(); ++n) {
    std::fill_n(table.y.begin() + static_cast<ptrdiff_t>(n * kEpochs + lengths[n]),
                kEpochs - lengths[n], 0.123F);
  }
  table.lengths = lengths;
  return table;
}

std::vector<uint32_t> observed_rows(const CurveTable& table) {
  std::vector<uint32_t> rows;
  for (uint32_t n = 0; n < table.size(); ++n) {
    if (table.lengths[n] > 0) rows.push_back(n);
  }
  return rows;
}

std::vector<float> hints_from(std::vector<CurveTable> earlier, const CurveTable& now) {
  return Records(std::move(earlier)).hints(now, observed_rows(now));
}

float hint(const std::vector<float>& hints, size_t row, size_t which) {
  return hints.at(row * kHints + which);
}

TEST(RecordsTest, ATaskThatFitsIsBelieved) {
  const CurveTable alike = rising(0.3F, {0.4F, 0.9F, 0.5F, 0.6F});
  const CurveTable other = rising(0.3F, {0.9F, 0.4F, 0.8F, 0.2F});
  const CurveTable now = observed_for(alike, {50, 20, 0, 0});
  const std::vector<float> hints = hints_from({other, alike}, now);
  EXPECT_NEAR(hint(hints, 2, kEnd), 0.5F, 1e-3F);
  EXPECT_NEAR(hint(hints, 3, kEnd), 0.6F, 1e-3F);
  EXPECT_NEAR(hint(hints, 3, kEarly), 0.3F + 0.3F * 2 / 50, 1e-3F);
  EXPECT_NEAR(hint(hints, 3, kFifth), 0.3F + 0.3F * 10 / 50, 1e-3F);
  EXPECT_NEAR(hint(hints, 3, kHalf), 0.3F + 0.3F * 25 / 50, 1e-3F);
  EXPECT_NEAR(hint(hints, 3, kBest), 0.6F, 1e-3F);
  EXPECT_NEAR(hint(hints, 3, kSpread), 0.0F, 1e-2F);
  EXPECT_NEAR(hint(hints, 3, kMisfit), 0.0F, 1e-6F);
  // Blunter weights let the other one have its say.
  EXPECT_LT(hint(hints, 3, kBluntEnd), hint(hints, 3, kEnd) - 0.01F);
  EXPECT_LT(hint(hints, 3, kBluntBest), hint(hints, 3, kBest) - 0.01F);
  EXPECT_GT(hint(hints, 3, kBluntSpread), hint(hints, 3, kSpread) + 0.01F);
}

TEST(RecordsTest, TellsTheBestOfACurveThatFallsAgain) {
  CurveTable earlier = rising(0.3F, {0.4F, 0.8F});
  earlier.y[2 * kEpochs - 1] = 0.35F;  // overfitted in the last epoch
  const std::vector<float> hints = hints_from({earlier}, observed_for(earlier, {50, 0}));
  EXPECT_NEAR(hint(hints, 1, kEnd), 0.35F, 1e-3F);
  EXPECT_NEAR(hint(hints, 1, kBest), 0.79F, 1e-3F);
  EXPECT_NEAR(hint(hints, 1, kBluntEnd), 0.35F, 1e-3F);
  EXPECT_NEAR(hint(hints, 1, kBluntBest), 0.79F, 1e-3F);
}

TEST(RecordsTest, BeforeAnythingIsObservedTasksWithTheSameStartCountTheSame) {
  const CurveTable a = rising(0.3F, {0.4F, 0.9F}), b = rising(0.3F, {0.6F, 0.5F});
  const std::vector<float> hints = hints_from({a, b}, observed_for(a, {0, 0}));
  EXPECT_NEAR(hint(hints, 0, kEnd), 0.5F, 1e-6F);
  EXPECT_NEAR(hint(hints, 0, kSpread), 0.1F, 1e-6F);
  EXPECT_NEAR(hint(hints, 1, kEnd), 0.7F, 1e-6F);
  EXPECT_NEAR(hint(hints, 1, kSpread), 0.2F, 1e-6F);
  // y_0 alone tells kinds of tasks apart.
  CurveTable like_a = observed_for(a, {0, 0});
  const std::vector<float> told = hints_from({a, rising(0.5F, {0.6F, 0.5F})}, like_a);
  EXPECT_NEAR(hint(told, 1, kEnd), 0.9F, 1e-6F);
}

TEST(RecordsTest, AStretchedTaskIsRecognized) {
  const CurveTable earlier = rising(0.2F, {0.4F, 0.3F, 0.2F, 0.1F, 0.6F});
  // Twice as far from y_0 in every row.
  const CurveTable now =
      observed_for(rising(0.3F, {0.7F, 0.5F, 0.3F, 0.1F, 1.0F}), {50, 50, 5, 0, 0});
  const std::vector<float> hints = hints_from({earlier}, now);
  // By the formula: the mean squares of a straight line and of nothing else.
  double square = 0.0;
  for (size_t t = 1; t <= kEpochs; ++t) square += static_cast<double>(t * t) / (50.0 * 50.0) / 50.0;
  const double observed = square * (0.2 * 0.2 + 0.1 * 0.1);
  const auto stretch = static_cast<float>((0.02 + 2.0 * observed) / (0.02 + observed));
  EXPECT_GT(stretch, 1.4F);
  EXPECT_NEAR(hint(hints, 3, kEnd), 0.3F - 0.1F * stretch, 1e-5F);
  EXPECT_NEAR(hint(hints, 4, kEnd), std::min(1.0F, 0.3F + 0.4F * stretch), 1e-5F);
  EXPECT_GT(hint(hints, 0, kMisfit), 0.0F);
}

TEST(RecordsTest, LooksAtObservedEpochsOfTheContextOnly) {
  const CurveTable a = rising(0.3F, {0.4F, 0.9F, 0.5F}), b = rising(0.3F, {0.8F, 0.5F, 0.9F});
  CurveTable now = observed_for(b, {7, 3, 0});
  const Records records({a, b});
  const std::vector<float> hints = records.hints(now, std::vector<uint32_t>{0});
  std::fill_n(now.y.begin() + 7, 43, 0.9F);
  std::fill_n(now.y.begin() + kEpochs, kEpochs, 0.9F);  // row 1 is not in the context
  EXPECT_EQ(records.hints(now, std::vector<uint32_t>{0}), hints);
  now.y[6] = 0.9F;
  EXPECT_NE(records.hints(now, std::vector<uint32_t>{0}), hints);
}

TEST(RecordsTest, RecognizesConfigurationsInAnyOrderAndLeavesOthersAlone) {
  const CurveTable pool = rising(0.3F, {0.4F, 0.9F, 0.5F, 0.6F});
  CurveTable now = rising(0.3F, {0.6F, 0.5F, 0.9F});
  now.x = {0.03F, 0.77F, 0.01F};  // rows 3 and 1 of the pool around one that nobody has tried
  now = observed_for(now, {50, 50, 0});
  const std::vector<float> hints = hints_from({pool}, now);
  EXPECT_EQ(hint(hints, 0, kKnown), 1.0F);
  EXPECT_NEAR(hint(hints, 0, kEnd), 0.6F, 1e-3F);
  EXPECT_THAT(std::span(hints).subspan(kHints, kHints), Each(0.0F));
  EXPECT_NEAR(hint(hints, 2, kEnd), 0.9F, 1e-3F);
  EXPECT_NEAR(hint(hints, 2, kMisfit), 0.0F, 1e-4F);  // the unknown one does not count
}

TEST(RecordsTest, OtherHorizonsAndSpacesHaveNoHints) {
  const CurveTable pool = rising(0.3F, {0.4F, 0.9F});
  CurveTable shorter = pool;
  shorter.horizon = 10;
  shorter.y.resize(20);
  shorter.lengths = {0, 0};
  EXPECT_THAT(hints_from({pool}, shorter), IsEmpty());
  CurveTable wider = pool;
  wider.dimensions = 2;
  wider.x = {0.0F, 0.0F, 0.01F, 0.0F};
  EXPECT_THAT(hints_from({pool}, wider), IsEmpty());
  EXPECT_THAT(hints_from({}, pool), IsEmpty());
}

TEST(RecordsTest, BrokenOffCurvesStayAndMissingOnesAreSilent) {
  CurveTable broken = rising(0.3F, {0.4F, 0.8F, 0.5F}), other = rising(0.3F, {0.4F, 0.9F, 0.7F});
  broken.lengths = {50, 25, 0};
  const CurveTable now = observed_for(broken, {50, 0, 0});
  std::vector<float> hints = hints_from({broken}, now);
  EXPECT_NEAR(hint(hints, 1, kEnd), 0.55F, 1e-3F);
  EXPECT_THAT(std::span(hints).subspan(2 * kHints, kHints), Each(0.0F));
  hints = hints_from({broken, other}, now);
  EXPECT_NEAR(hint(hints, 2, kEnd), 0.7F, 1e-3F);
}

TEST(RecordsTest, KeepsTheLargestPool) {
  CurveTable elsewhere = rising(0.3F, {0.4F, 0.9F});
  elsewhere.x = {0.5F, 0.6F};
  const CurveTable a = rising(0.1F, {0.4F, 0.9F}), b = rising(0.2F, {0.4F, 0.9F});
  const Records records({elsewhere, a, b});
  ASSERT_EQ(records.tables().size(), 2U);
  EXPECT_EQ(records.tables()[0].initial, 0.1F);
  EXPECT_EQ(records.tables()[1].initial, 0.2F);
}

}  // namespace
}  // namespace cmbo::curves
