// SPDX-License-Identifier: Apache-2.0
#include "tensor/muon.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <vector>

#include "base/random.h"

namespace cmbo::tensor {
namespace {

std::vector<float> normals(size_t n, uint64_t seed) {
  Random random(seed);
  std::vector<float> x(n);
  for (float& v : x) v = static_cast<float>(random.normal());
  return x;
}

// Length of the image of a vector of length 1, from whichever side is the smaller.
double stretch(size_t rows, size_t columns, const std::vector<float>& x, uint64_t seed) {
  const bool wide = rows <= columns;
  const std::vector<float> v = normals(wide ? rows : columns, seed);
  std::vector<double> image(wide ? columns : rows);
  double length = 0.0, image_length = 0.0;
  for (const float value : v) length += static_cast<double>(value) * static_cast<double>(value);
  for (size_t i = 0; i < rows; ++i) {
    for (size_t j = 0; j < columns; ++j) {
      image[wide ? j : i] +=
          static_cast<double>(x[i * columns + j]) * static_cast<double>(v[wide ? i : j]);
    }
  }
  for (const double value : image) image_length += value * value;
  return std::sqrt(image_length / length);
}

TEST(MuonTest, OrthogonalMatricesChangeNoLengthMuch) {
  MuonScratch scratch;
  for (const auto& [rows, columns] : {std::pair{16, 16}, {7, 33}, {33, 7}, {1, 5}, {5, 1}}) {
    const auto r = static_cast<size_t>(rows), c = static_cast<size_t>(columns);
    for (uint64_t seed = 0; seed < 20; ++seed) {
      std::vector<float> x = normals(r * c, seed);
      orthogonalize(r, c, x.data(), scratch);
      for (uint64_t v = 0; v < 5; ++v) {
        const double s = stretch(r, c, x, 100 + v);
        ASSERT_GT(s, 0.6) << rows << " x " << columns;
        ASSERT_LT(s, 1.3) << rows << " x " << columns;
      }
    }
  }
}

TEST(MuonTest, SingularVectorsStay) {
  std::vector<float> x = {3.0F, 0.0F, 0.0F, 0.0F, -0.1F, 0.0F};  // 2 x 3
  MuonScratch scratch;
  orthogonalize(2, 3, x.data(), scratch);
  EXPECT_GT(x[0], 0.6F);
  EXPECT_LT(x[4], -0.6F);
  for (const size_t i : {1U, 2U, 3U, 5U}) EXPECT_NEAR(x[i], 0.0F, 1e-6F);
}

TEST(MuonTest, ZeroStaysZero) {
  std::vector<float> x(12, 0.0F);
  MuonScratch scratch;
  orthogonalize(3, 4, x.data(), scratch);
  EXPECT_EQ(x, std::vector<float>(12, 0.0F));
}

// The gradient of |W - target|^2 / 2 is W - target.
TEST(MuonTest, WalksDownhill) {
  const size_t n = 8;
  const std::vector<float> target = normals(n * n, 1);
  std::vector<float> weights(n * n, 0.0F), momentum(n * n, 0.0F), gradient(n * n);
  MuonScratch scratch;
  const auto distance = [&] {
    double sum = 0.0;
    for (size_t i = 0; i < n * n; ++i) {
      gradient[i] = weights[i] - target[i];
      sum += static_cast<double>(gradient[i]) * static_cast<double>(gradient[i]);
    }
    return std::sqrt(sum);
  };
  const double before = distance();
  for (int step = 0; step < 300; ++step) {
    const float rate = 0.05F * (1.0F - static_cast<float>(step) / 300.0F);
    muon_step({.learning_rate = rate}, {n, n, weights.data(), gradient.data(), momentum.data()},
              scratch);
    distance();
  }
  EXPECT_LT(distance(), 0.05 * before);
}

TEST(MuonTest, TheScaleOfGradientsDoesNotMatter) {
  const std::vector<float> gradient = normals(30, 3);
  std::vector<float> one(30, 0.5F), other(30, 0.5F), m1(30, 0.0F), m2(30, 0.0F);
  MuonScratch scratch;
  muon_step({.gradient_scale = 1.0F}, {5, 6, one.data(), gradient.data(), m1.data()}, scratch);
  muon_step({.gradient_scale = 8.0F}, {5, 6, other.data(), gradient.data(), m2.data()}, scratch);
  for (size_t i = 0; i < 30; ++i) EXPECT_NEAR(one[i], other[i], 1e-6F);
}

TEST(MuonTest, WeightsDecay) {
  const std::vector<float> gradient(4, 0.0F);
  std::vector<float> weights(4, 2.0F), momentum(4, 0.0F);
  MuonScratch scratch;
  muon_step({.learning_rate = 0.1F, .weight_decay = 0.5F},
            {2, 2, weights.data(), gradient.data(), momentum.data()}, scratch);
  for (const float w : weights) EXPECT_FLOAT_EQ(w, 2.0F * (1.0F - 0.1F * 0.5F));
}

}  // namespace
}  // namespace cmbo::tensor
