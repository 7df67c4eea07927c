// SPDX-License-Identifier: Apache-2.0
#include "baselines/power_law.h"

#include <cmath>
#include <gtest/gtest.h>

namespace cmbo::baselines {
namespace {

constexpr size_t kHidden[] = {8, 8};

CurvePoints power_laws(size_t configurations) {
  Random random(4);
  CurvePoints points{.dimensions = 2};
  for (size_t n = 0; n < configurations; ++n) {
    const auto a = static_cast<float>(random.uniform()), b = static_cast<float>(random.uniform());
    for (int t = 1; t <= 5; ++t) {
      const float share = static_cast<float>(t) / 5.0F;
      points.add(std::vector<float>{a, b}, share, 0.3F * a + 0.1F * b / share);
    }
  }
  return points;
}

TEST(PowerLawTest, GradientMatchesFiniteDifferences) {
  PowerLawNetwork network(2, kHidden, Random(1));
  const CurvePoints points = power_laws(6);
  std::vector<float> gradient(network.parameters().size()), ignored(gradient.size());
  network.loss(points, gradient);
  const std::vector<float> kept(network.parameters().begin(), network.parameters().end());
  Random random(2);
  for (int round = 0; round < 8; ++round) {
    std::vector<double> direction(kept.size());
    double expected = 0.0;
    for (size_t i = 0; i < kept.size(); ++i) {
      direction[i] = random.normal();
      expected += direction[i] * static_cast<double>(gradient[i]);
    }
    const auto at = [&](double step) {
      for (size_t i = 0; i < kept.size(); ++i) {
        network.parameters()[i] = kept[i] + static_cast<float>(step * direction[i]);
      }
      return network.loss(points, ignored);
    };
    EXPECT_NEAR(expected, (at(1e-4) - at(-1e-4)) / 2e-4, 2e-3 + 1e-2 * std::abs(expected));
    std::copy(kept.begin(), kept.end(), network.parameters().begin());
  }
}

TEST(PowerLawTest, LearnsPowerLaws) {
  PowerLawNetwork network(2, kHidden, Random(1));
  const CurvePoints points = power_laws(20);
  gp::Adam adam;
  for (int i = 0; i < 1500; ++i) network.train_step(points, 5e-3F, adam);
  const std::vector<double> last = network.last_errors(points.x);
  double error = 0.0;
  for (size_t i = 0; i < points.size(); ++i) {
    const auto a = static_cast<double>(points.x[2 * i]);
    const auto b = static_cast<double>(points.x[2 * i + 1]);
    error += std::abs(last[i] - (0.3 * a + 0.1 * b)) / static_cast<double>(points.size());
  }
  EXPECT_LT(error, 0.05);
}

TEST(PowerLawTest, NonsenseChangesNothing) {
  PowerLawNetwork network(2, kHidden, Random(1));
  CurvePoints points = power_laws(2);
  points.error[3] = NAN;
  const std::vector<float> kept(network.parameters().begin(), network.parameters().end());
  gp::Adam adam;
  network.train_step(points, 1e-2F, adam);
  EXPECT_TRUE(std::equal(kept.begin(), kept.end(), network.parameters().begin()));
}

}  // namespace
}  // namespace cmbo::baselines
