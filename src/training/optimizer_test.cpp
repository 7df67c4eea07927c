// SPDX-License-Identifier: Apache-2.0
#include "training/optimizer.h"

#include <gtest/gtest.h>

#include "tensor/adamw.h"
#include "tensor/muon.h"

namespace cmbo::training {
namespace {

// Two gradients whose sum is `sum`.
std::vector<std::vector<float>> two_gradients(const std::vector<float>& sum) {
  std::vector<std::vector<float>> gradients = {sum, sum};
  for (float& g : gradients[0]) g *= 0.25F;
  for (float& g : gradients[1]) g *= 0.75F;
  return gradients;
}

struct Case {
  Case() {
    table.add("layer0.attention.in.weight", {6, 2}, 0.0F, 0.5F);
    table.add("layer0.attention.in.bias", {6}, 0.0F, 0.5F);
    table.add("head.bars.weight", {3, 2}, 0.0F, 0.5F);
    start.resize(table.size());
    table.initialize(1, start);
    gradient.resize(table.size());
    table.initialize(2, gradient);
  }

  std::vector<float> updated(const OptimizerOptions& options, size_t threads,
                             float scale = 1.0F) const {
    std::vector<float> values = start, moment1(values.size()), moment2(values.size());
    std::vector<std::vector<float>> gradients = two_gradients(gradient);
    ThreadPool pool(threads);
    Optimizer(table, options).update(1, 0.1F, scale, gradients, {values, moment1, moment2}, pool);
    return values;
  }

  network::ParameterTable table;
  std::vector<float> start, gradient;
};

TEST(OptimizerTest, QueriesKeysAndValuesGoByMuonAndTheRestByAdamW) {
  const Case c;
  const std::vector<float> values = c.updated({.weight_decay = 0.2F, .clip_norm = 1e9F}, 2);
  std::vector<float> expected = c.start, moment1(expected.size()), moment2(expected.size());
  tensor::MuonScratch scratch;
  for (const size_t at : {0U, 4U, 8U}) {
    tensor::muon_step({.learning_rate = 0.1F, .weight_decay = 0.2F},
                      {2, 2, &expected[at], &c.gradient[at], &moment1[at]}, scratch);
  }
  tensor::adamw_step(
      {.learning_rate = 0.1F, .weight_decay = 0.2F}, 1,
      {expected.size() - 12, &expected[12], &c.gradient[12], &moment1[12], &moment2[12]});
  for (size_t i = 0; i < values.size(); ++i) EXPECT_NEAR(values[i], expected[i], 1e-6F) << i;
}

TEST(OptimizerTest, WithoutMuonEverythingGoesByAdamW) {
  const Case c;
  const std::vector<float> values = c.updated({.muon = false, .clip_norm = 1e9F}, 1);
  std::vector<float> expected = c.start, moment1(expected.size()), moment2(expected.size());
  tensor::adamw_step(
      {.learning_rate = 0.1F, .weight_decay = 0.01F}, 1,
      {expected.size(), expected.data(), c.gradient.data(), moment1.data(), moment2.data()});
  for (size_t i = 0; i < values.size(); ++i) EXPECT_NEAR(values[i], expected[i], 1e-6F) << i;
}

TEST(OptimizerTest, TheSameForAnyNumberOfThreads) {
  const Case c;
  EXPECT_EQ(c.updated({}, 1), c.updated({}, 3));
}

// Beyond the limit, the size of the whole gradient makes no difference.
TEST(OptimizerTest, ClipsTheWholeGradient) {
  const Case c;
  const OptimizerOptions options = {.clip_norm = 1e-7F};  // so small that AdamW's epsilon shows
  const std::vector<float> clipped = c.updated(options, 1), larger = c.updated(options, 1, 10.0F);
  for (size_t i = 0; i < clipped.size(); ++i) EXPECT_NEAR(clipped[i], larger[i], 1e-5F) << i;
  EXPECT_GT(std::abs(clipped[12] - c.updated({}, 1)[12]), 1e-3F);
}

}  // namespace
}  // namespace cmbo::training
