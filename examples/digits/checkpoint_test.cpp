// SPDX-License-Identifier: Apache-2.0
#include "digits/checkpoint.h"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>

namespace cmbo::digits {
namespace {

using ::testing::HasSubstr;

const Json kRun = {{"task", "digits"}, {"seed", 7}};

State some_state() {
  State state;
  state.weights = {1.0F, -0.1F, std::numeric_limits<float>::infinity()};
  state.momentum = {0.0F, 1e-30F, std::nanf("")};
  state.history = {{0.5, 1.25, 2.0}, {std::nan(""), std::nan(""), std::nan("")}};
  return state;
}

TEST(CheckpointTest, ComesBackToTheBit) {
  const std::string bytes = checkpoint_to_bytes(some_state(), kRun);
  const auto state = checkpoint_from_bytes(bytes, kRun);
  ASSERT_TRUE(state.ok()) << state.error().message();
  EXPECT_EQ(state->step(), 2U);
  EXPECT_EQ(state->history[0].val_loss, 1.25);
  EXPECT_TRUE(state->history[1].diverged());
  EXPECT_TRUE(checkpoint_to_bytes(*state, kRun) == bytes);
}

TEST(CheckpointTest, NoticesEveryFlippedBitAndEveryCut) {
  const std::string good = checkpoint_to_bytes(some_state(), kRun);
  for (size_t i = 0; i < good.size(); ++i) {
    std::string bad = good;
    bad[i] = static_cast<char>(bad[i] ^ (1 << (i % 8)));
    EXPECT_FALSE(checkpoint_from_bytes(bad, kRun).ok()) << "byte " << i;
    EXPECT_FALSE(checkpoint_from_bytes(good.substr(0, i), kRun).ok()) << "cut at " << i;
  }
  EXPECT_THAT(checkpoint_from_bytes(good + "x", kRun).error().message(),
              HasSubstr("damaged; remove it and train from step 0"));
}

TEST(CheckpointTest, BelongsToOneTraining) {
  const std::string bytes = checkpoint_to_bytes(some_state(), kRun);
  const auto other = checkpoint_from_bytes(bytes, {{"task", "digits"}, {"seed", 8}});
  EXPECT_THAT(other.error().message(),
              HasSubstr(R"(of another training, {"task":"digits","seed":7})"));
}

}  // namespace
}  // namespace cmbo::digits
