// SPDX-License-Identifier: Apache-2.0
#include "gp/deep_kernel.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>

namespace cmbo::gp {
namespace {

FeatureShape with_curve() {
  return {.inputs = 3, .curve = 6, .channels = 2, .widths = {5, 4}};
}

FeatureShape without_curve() {
  return {.inputs = 3, .widths = {8, 8}, .slope = 0.0F, .activate_last = false};
}

Points random_points(size_t count, size_t row, Random& random) {
  Points points;
  for (size_t i = 0; i < count * row; ++i) {
    points.x.push_back(static_cast<float>(random.uniform(-1.0, 1.0)));
  }
  for (size_t i = 0; i < count; ++i) {
    const double x = static_cast<double>(points.x[i * row]);
    points.y.push_back(0.8 - x * x + 0.01 * random.normal());
  }
  return points;
}

// The formula of the header for one row.
std::vector<double> features_twin(const FeatureShape& s, std::span<const float> p,
                                  std::span<const float> row) {
  std::vector<double> h(row.begin(), row.begin() + static_cast<std::ptrdiff_t>(s.inputs));
  size_t place = 0, curve_place = p.size() - s.channels * 4;
  for (size_t i = 0; i < s.widths.size(); ++i) {
    if (i + 1 == s.widths.size() && s.curve > 0) {
      for (size_t k = 0; k < s.channels; ++k) {
        double best = -std::numeric_limits<double>::infinity();
        for (size_t t = 0; t + 3 <= s.curve; ++t) {
          double sum = static_cast<double>(p[curve_place + s.channels * 3 + k]);
          for (size_t j = 0; j < 3; ++j) {
            sum += static_cast<double>(p[curve_place + k * 3 + j] * row[s.inputs + t + j]);
          }
          best = std::max(best, sum);
        }
        h.push_back(best);
      }
    }
    std::vector<double> next;
    for (size_t o = 0; o < s.widths[i]; ++o) {
      double sum = static_cast<double>(p[place + h.size() * s.widths[i] + o]);
      for (size_t j = 0; j < h.size(); ++j) {
        sum += static_cast<double>(p[place + o * h.size() + j]) * h[j];
      }
      const bool plain = i + 1 == s.widths.size() && !s.activate_last;
      next.push_back(plain ? sum : std::max(sum, static_cast<double>(s.slope) * sum));
    }
    place += (h.size() + 1) * s.widths[i];
    h = next;
  }
  return h;
}

class DeepKernelTest : public ::testing::TestWithParam<FeatureShape> {
 protected:
  Random random_{5};
};

TEST_P(DeepKernelTest, FeaturesMatchTwin) {
  const FeatureNetwork network(GetParam());
  std::vector<float> parameters(network.parameter_count());
  network.initialize(random_, parameters);
  const size_t row = GetParam().row(), width = GetParam().features();
  const Points points = random_points(9, row, random_);
  FeatureTape tape;
  std::vector<float> y(9 * width);
  network.forward(parameters, points.x, tape, y);
  for (size_t r = 0; r < 9; ++r) {
    const std::vector<double> twin =
        features_twin(GetParam(), parameters, std::span(points.x).subspan(r * row, row));
    for (size_t i = 0; i < width; ++i) {
      EXPECT_NEAR(static_cast<double>(y[r * width + i]), twin[i], 1e-5);
    }
  }
}

// Through network and process, along random directions: single weights are too small for floats.
TEST_P(DeepKernelTest, GradientMatchesFiniteDifferences) {
  DeepKernel kernel(GetParam(), KernelKind::kMatern52, random_);
  const Points points = random_points(12, GetParam().row(), random_);
  std::vector<float> gradient(kernel.parameters().size()), ignored(gradient.size());
  ASSERT_TRUE(kernel.loss(points, gradient));
  const std::vector<float> kept(kernel.parameters().begin(), kernel.parameters().end());
  for (int round = 0; round < 8; ++round) {
    std::vector<double> direction(kept.size());
    double expected = 0.0;
    for (size_t i = 0; i < kept.size(); ++i) {
      direction[i] = random_.normal();
      expected += direction[i] * static_cast<double>(gradient[i]);
    }
    const auto at = [&](double step) {
      for (size_t i = 0; i < kept.size(); ++i) {
        kernel.parameters()[i] = kept[i] + static_cast<float>(step * direction[i]);
      }
      return *kernel.loss(points, ignored);
    };
    const double difference = (at(1e-3) - at(-1e-3)) / 2e-3;
    EXPECT_NEAR(expected, difference, 1e-3 + 2e-3 * std::abs(expected));
    std::copy(kept.begin(), kept.end(), kernel.parameters().begin());
  }
}

TEST_P(DeepKernelTest, TrainingFindsTheFunction) {
  DeepKernel kernel(GetParam(), KernelKind::kRbf, random_);
  const Points points = random_points(40, GetParam().row(), random_);
  const Points others = random_points(40, GetParam().row(), random_);
  const auto error = [&] {
    const Prediction prediction = *kernel.predict(points, others.x);
    double sum = 0.0;
    for (size_t i = 0; i < others.size(); ++i) {
      sum += std::abs(prediction.mean[i] - others.y[i]) / 40.0;
    }
    return sum;
  };
  const double before = error();
  kernel.train(points, 600, 1e-2F);
  EXPECT_LT(error(), 0.5 * before);
  EXPECT_LT(error(), 0.1);
}

TEST_P(DeepKernelTest, WithoutPointsItIsThePrior) {
  DeepKernel kernel(GetParam(), KernelKind::kRbf, random_);
  const Points asked = random_points(3, GetParam().row(), random_);
  const Prediction prediction = *kernel.predict({}, asked.x);
  EXPECT_EQ(prediction.mean, std::vector<double>(3, 0.0));
  EXPECT_NEAR(prediction.variance[2], std::log(2.0), 1e-12);
}

TEST_P(DeepKernelTest, NonsenseChangesNothing) {
  DeepKernel kernel(GetParam(), KernelKind::kRbf, random_);
  Points points = random_points(4, GetParam().row(), random_);
  points.x[0] = NAN;
  const std::vector<float> kept(kernel.parameters().begin(), kernel.parameters().end());
  Adam adam;
  EXPECT_FALSE(kernel.train_step(points, 1e-2F, adam));
  EXPECT_TRUE(std::equal(kept.begin(), kept.end(), kernel.parameters().begin()));
}

INSTANTIATE_TEST_SUITE_P(Shapes, DeepKernelTest, ::testing::Values(with_curve(), without_curve()));

}  // namespace
}  // namespace cmbo::gp
