// SPDX-License-Identifier: Apache-2.0
#include "network/copula.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

#include "base/random.h"

namespace cmbo::network {
namespace {

// Scores of `count` curves drawn from the definition, at a few epochs.
std::vector<CurveScores> draw(const Copula& copula, size_t count) {
  std::vector<CurveScores> curves(count);
  const std::vector<uint32_t> ahead = {1, 2, 3, 7, 20, 48};
  for (size_t i = 0; i < count; ++i) {
    Random random = Random(5).fork(i);
    double smooth = random.normal();
    for (size_t e = 0; e < ahead.size(); ++e) {
      if (e > 0) {
        const double step = std::log1p(ahead[e]) - std::log1p(ahead[e - 1]);
        const double keep = std::exp(-step / copula.length);
        smooth = keep * smooth + std::sqrt(1 - keep * keep) * random.normal();
      }
      curves[i].z.push_back(std::sqrt(1 - copula.noise) * smooth +
                            std::sqrt(copula.noise) * random.normal());
    }
    curves[i].ahead = ahead;
  }
  return curves;
}

TEST(CopulaTest, LikelihoodOfAPairIsTheBivariateNormal) {
  const Copula copula{.noise = 0.25, .length = 1.5};
  const CurveScores pair{{2, 9}, {0.8, -0.3}};
  const double r = 0.75 * std::exp(-(std::log(10.0) - std::log(3.0)) / 1.5);
  const double quadratic = (0.8 * 0.8 - 2 * r * 0.8 * -0.3 + 0.3 * 0.3) / (1 - r * r);
  const double expected =
      -0.5 * std::log(1 - r * r) - 0.5 * quadratic + 0.5 * (0.8 * 0.8 + 0.3 * 0.3);
  EXPECT_NEAR(log_likelihood(copula, std::vector{pair}), expected, 1e-12);
}

TEST(CopulaTest, FitFindsWhatWasDrawn) {
  const Copula truth{.noise = 0.2, .length = 3.0};
  const auto curves = draw(truth, 4000);
  const Copula found = fit_copula(curves);
  EXPECT_NEAR(found.noise, truth.noise, 0.02);
  EXPECT_NEAR(found.length, truth.length, 0.3);
  EXPECT_GE(log_likelihood(found, curves), log_likelihood(truth, curves));
}

TEST(CopulaTest, WithoutPairsCurvesStayComonotone) {
  EXPECT_EQ(fit_copula({}), Copula{});
  EXPECT_EQ(fit_copula(std::vector<CurveScores>{{{3}, {0.1}}}), Copula{});
}

TEST(CopulaTest, RanksTakeEveryLevelOnceAndGoTogetherAsAsked) {
  constexpr size_t kCurves = 512;
  const CurveRanks loose({.noise = 0.5, .length = 1.0}, 20, kCurves, 3);
  const CurveRanks tight({}, 20, kCurves, 3);
  for (const size_t ahead : {1U, 5U, 20U}) {
    std::vector<uint16_t> places(loose.at(ahead).begin(), loose.at(ahead).end());
    std::sort(places.begin(), places.end());
    for (uint16_t s = 0; s < kCurves; ++s) ASSERT_EQ(places[s], s);
  }
  const auto correlation = [](const CurveRanks& ranks, size_t a, size_t b) {
    double sum = 0.0;
    for (size_t s = 0; s < kCurves; ++s) {
      sum += (ranks.at(a)[s] - (kCurves - 1) / 2.0) * (ranks.at(b)[s] - (kCurves - 1) / 2.0);
    }
    return sum / kCurves / ((kCurves * kCurves - 1) / 12.0);
  };
  EXPECT_GT(correlation(tight, 1, 20), 0.9999);
  const double expected = 0.5 * std::exp(-(std::log(6.0) - std::log(2.0)));
  EXPECT_NEAR(correlation(loose, 1, 5), expected, 0.1);
}

}  // namespace
}  // namespace cmbo::network
