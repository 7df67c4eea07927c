// SPDX-License-Identifier: Apache-2.0
#include "training/copula_fit.h"

#include <cmath>
#include <gtest/gtest.h>

#include "curves/prior.h"

namespace cmbo::training {
namespace {

TEST(CopulaFitTest, ScoresAreNormalQuantilesOfTheTruthInOrderOfEpochs) {
  network::NetworkConfig config;
  config.dimensions = 4;
  config.width = 8;
  config.layers = 1;
  config.heads = 2;
  config.head_width = 8;
  config.bars = 10;
  config.copy = false;
  const auto network = network::make_network(config);
  // All weights 0: every distribution is uniform over the bars, here over [0,1].
  const std::vector<float> weights(network->table().size(), 0.0F);
  const network::Bars bars({0.0F, 0.1F, 0.2F, 0.3F, 0.4F, 0.5F, 0.6F, 0.7F, 0.8F, 0.9F, 1.0F});
  Random random(1);
  const curves::CurveTable table = curves::sample_prior(
      {.configurations = 5, .min_dimensions = 4, .max_dimensions = 4, .horizons = {9}}, random);
  const std::vector<uint32_t> lengths = {2, 0, 0, 0, 0}, asked = {0};
  Example example = example_of_state(table, lengths, asked, {9, 4, 9}, 3);
  example.targets.values = {0.5F, 0.975F, 0.5F};
  ThreadPool pool(1);
  const auto curves = normal_scores(*network, bars, weights, std::vector{example}, pool);
  ASSERT_EQ(curves.size(), 1U);
  EXPECT_EQ(curves[0].ahead, (std::vector<uint32_t>{2, 7}));  // epoch 9 was asked twice
  EXPECT_NEAR(curves[0].z[0], 1.959964, 1e-4);
  EXPECT_NEAR(curves[0].z[1], 0.0, 1e-5);
}

}  // namespace
}  // namespace cmbo::training
