// SPDX-License-Identifier: Apache-2.0
#include "digits/network.h"

#include <gtest/gtest.h>
#include <numeric>

namespace cmbo::digits {
namespace {

constexpr NetworkShape kShape = {.features = 5, .width = 6, .depth = 2, .classes = 3};

struct NetworkTest : ::testing::Test {
  NetworkTest() : weights(network.weight_count()), x(4 * kShape.features) {
    Random random(7);
    network.initialize(random, weights);
    for (float& value : weights) value += 0.1F * static_cast<float>(random.normal());
    for (float& value : x) value = static_cast<float>(random.normal());
  }

  double loss(const std::vector<float>& at, const DropoutOptions& dropout) {
    network.forward(at, {x, labels}, dropout, workspace);
    return std::accumulate(workspace.losses.begin(), workspace.losses.end(), 0.0) /
           static_cast<double>(labels.size());
  }

  Network network{kShape};
  std::vector<float> weights;
  std::vector<float> x;
  std::vector<uint32_t> labels = {0, 2, 1, 2};
  Workspace workspace;
};

TEST_F(NetworkTest, GradientsMatchFiniteDifferences) {
  for (const float probability : {0.0F, 0.4F}) {
    const DropoutOptions dropout = {.probability = probability, .seed = 3};
    std::vector<float> gradient(weights.size(), 99.0F);
    loss(weights, dropout);
    network.backward(weights, {x, labels}, dropout, workspace, gradient);
    for (size_t i = 0; i < weights.size(); ++i) {
      constexpr float kStep = 1e-2F;
      std::vector<float> up = weights, down = weights;
      up[i] += kStep;
      down[i] -= kStep;
      const double slope =
          (loss(up, dropout) - loss(down, dropout)) / (2.0 * static_cast<double>(kStep));
      EXPECT_NEAR(static_cast<double>(gradient[i]), slope, 2e-3)
          << "weight " << i << ", dropout " << probability;
    }
  }
}

TEST_F(NetworkTest, DropsOtherUnitsInAnotherStep) {
  const double first = loss(weights, {.probability = 0.5F, .seed = 1});
  EXPECT_EQ(first, loss(weights, {.probability = 0.5F, .seed = 1}));
  EXPECT_NE(first, loss(weights, {.probability = 0.5F, .seed = 2}));
}

TEST_F(NetworkTest, AWorkspaceServesBatchesOfAnySize) {
  const double before = loss(weights, {});
  network.forward(weights, {std::span(x).first(kShape.features), std::span(labels).first(1)}, {},
                  workspace);
  EXPECT_EQ(workspace.losses.size(), 1U);
  EXPECT_EQ(loss(weights, {}), before);
}

}  // namespace
}  // namespace cmbo::digits
