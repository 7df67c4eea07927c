// SPDX-License-Identifier: Apache-2.0
#include "baselines/curve_process.h"

#include <cmath>
#include <gtest/gtest.h>
#include <numbers>

namespace cmbo::baselines {
namespace {

constexpr DecayParameters kDecay = {.a = 1.5, .b = 2.0, .scale = 0.3, .noise = 0.02};
constexpr size_t kHorizon = 4;

double covariance(size_t t, size_t u) {
  return 0.3 * std::pow(2.0 / (static_cast<double>(t + u) + 2.0), 1.5) + (t == u ? 0.02 : 0.0);
}

double log_normal(double off, double variance) {
  return -0.5 * (off * off / variance + std::log(2.0 * std::numbers::pi * variance));
}

TEST(CurveProcessTest, OneEpochByHand) {
  const CurveProcess process(kHorizon, kDecay);
  const float y[] = {0.7F};
  const AsymptoteEvidence evidence = process.evidence(y);
  EXPECT_NEAR(evidence.value, 0.7, 1e-6);
  EXPECT_NEAR(evidence.variance, covariance(1, 1), 1e-12);
  EXPECT_NEAR(evidence.log_density, 0.0, 1e-12);
  // y(T) | y(1), f ~ N(f + c (y - f), ...) with c = k(1, T) / k(1, 1).
  const double c = covariance(1, 4) / covariance(1, 1);
  const CurveProcess::Normal last = process.last_value(y, {0.9, 0.01});
  EXPECT_NEAR(last.mean, 0.9 + c * (0.7 - 0.9), 1e-6);
  EXPECT_NEAR(last.variance,
              covariance(4, 4) - 0.02 - c * covariance(1, 4) + (1.0 - c) * (1.0 - c) * 0.01, 1e-12);
}

// p(y_1, y_2 | f) = p(y_1 | f) p(y_2 | y_1, f) for any f.
TEST(CurveProcessTest, EvidenceIsTheLikelihoodOfTheAsymptote) {
  const CurveProcess process(kHorizon, kDecay);
  const float y[] = {0.4F, 0.65F};
  const AsymptoteEvidence evidence = process.evidence(y);
  const double c = covariance(1, 2) / covariance(1, 1);
  for (const double f : {0.0, 0.5, 1.1}) {
    const double first = static_cast<double>(y[0]) - f, second = static_cast<double>(y[1]) - f;
    const double direct = log_normal(first, covariance(1, 1)) +
                          log_normal(second - c * first, covariance(2, 2) - c * covariance(1, 2));
    EXPECT_NEAR(evidence.log_density + log_normal(evidence.value - f, evidence.variance), direct,
                1e-9);
  }
}

TEST(CurveProcessTest, WithoutEpochsTheLastValueIsTheAsymptoteWithItsDecay) {
  const CurveProcess process(kHorizon, kDecay);
  const CurveProcess::Normal last = process.last_value({}, {0.6, 0.04});
  EXPECT_NEAR(last.mean, 0.6, 1e-12);
  EXPECT_NEAR(last.variance, 0.04 + covariance(4, 4) - 0.02, 1e-12);
}

}  // namespace
}  // namespace cmbo::baselines
