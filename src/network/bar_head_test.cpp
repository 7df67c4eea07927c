// SPDX-License-Identifier: Apache-2.0
#include "network/bar_head.h"

#include <gtest/gtest.h>

#include "base/random.h"

namespace cmbo::network {
namespace {

constexpr size_t kAnswers = 3;

class MovedBarsTest : public testing::Test {
 protected:
  MovedBarsTest() {
    config_.bars = 6;
    config_.head_width = 4;
    head_ = std::make_unique<BarHead>(config_, table_);
    weights_.resize(table_.size());
    hidden_.resize(kAnswers * config_.head_width);
    Random random(4);
    for (float& w : weights_) w = static_cast<float>(random.normal());
    for (float& h : hidden_) h = static_cast<float>(random.normal());
  }

  std::vector<float> probabilities() const {
    std::vector<float> result(kAnswers * config_.bars), copies(kAnswers * kCopyValues);
    const std::vector<float> centers(kAnswers, 0.5F);
    head_->distributions(weights_.data(), {kAnswers, hidden_.data(), centers.data()}, result.data(),
                         copies.data());
    return result;
  }

  NetworkConfig config_;
  ParameterTable table_;
  std::unique_ptr<BarHead> head_;
  std::vector<float> weights_, hidden_;
};

TEST_F(MovedBarsTest, KeepDensitiesUpToAFactorOfEachAnswer) {
  const Bars from({0.0F, 0.1F, 0.2F, 0.4F, 0.6F, 0.9F, 1.0F});
  // Two lie within the first bar, two in the second, one in the third, the last in none.
  const Bars to({0.0F, 0.02F, 0.1F, 0.15F, 0.2F, 0.35F, 1.0F});
  const std::vector<size_t> within = {0, 0, 1, 1, 2};
  const std::vector<float> before = probabilities();
  move_bars(table_, from, to, weights_);
  const std::vector<float> after = probabilities();
  for (size_t r = 0; r < kAnswers; ++r) {
    const float* const old = &before[r * 6];
    const float* const now = &after[r * 6];
    const float factor = now[0] / to.width(0) / (old[0] / from.width(0));
    for (size_t k = 1; k < within.size(); ++k) {
      const float density = old[within[k]] / from.width(within[k]);
      EXPECT_NEAR(now[k] / to.width(k), factor * density, 1e-3F * factor * density)
          << r << " " << k;
    }
  }
}

TEST_F(MovedBarsTest, ToThemselvesChangeNothing) {
  const Bars bars({0.0F, 0.1F, 0.2F, 0.4F, 0.6F, 0.9F, 1.0F});
  const std::vector<float> before = weights_;
  move_bars(table_, bars, bars, weights_);
  for (size_t i = 0; i < before.size(); ++i) EXPECT_NEAR(weights_[i], before[i], 1e-6F);
}

}  // namespace
}  // namespace cmbo::network
