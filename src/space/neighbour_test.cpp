// SPDX-License-Identifier: Apache-2.0
#include "space/neighbour.h"

#include <cmath>
#include <gtest/gtest.h>
#include <set>

namespace cmbo::space {
namespace {

Space neighbour_space() {
  return Space::from_yaml(R"(
lr: {type: float, low: 1e-5, high: 0.1, log: true}
layers: {type: int, low: 1, high: 5}
optimizer: {type: categorical, choices: [sgd, adamw, lion]}
momentum: {type: float, low: 0.8, high: 0.999, when: {optimizer: sgd}}
augment: {type: categorical, choices: [none, light, strong], ordered: true}
epochs: {type: const, value: 50}
)")
      .value();
}

class NeighbourTest : public testing::Test {
 protected:
  Configuration from(const char* json) {
    return space_.configuration_from_json(parse_json(json).value()).value();
  }

  Space space_ = neighbour_space();
  Random random_{7};
  Configuration start_ =
      from(R"({"lr": 1e-3, "layers": 3, "optimizer": "adamw", "augment": "light", "epochs": 50})");
};

TEST_F(NeighbourTest, ConditionsAndBoundsHold) {
  for (int i = 0; i < 2000; ++i) {
    const Configuration near = neighbour(space_, start_, 5.0, random_);
    const auto back = space_.configuration_from_json(space_.configuration_to_json(near));
    ASSERT_TRUE(back.ok()) << back.error().message();
    EXPECT_EQ(*back, near);
  }
}

TEST_F(NeighbourTest, StepsAreAsWideAsWanted) {
  const Parameter& lr = space_.parameters()[0];
  double squares = 0.0;
  int moved = 0;
  for (int i = 0; i < 4000; ++i) {
    const double step = lr.to_unit(neighbour(space_, start_, 0.05, random_)[0]) - lr.to_unit(1e-3);
    squares += step * step;
    if (step != 0.0) ++moved;
  }
  EXPECT_NEAR(moved, 2000, 200) << "every other one stays";
  EXPECT_NEAR(std::sqrt(squares / moved), 0.05, 0.005);
}

TEST_F(NeighbourTest, FewValuesMoveEvenByNarrowSteps) {
  std::set<double> layers, optimizers, momenta;
  for (int i = 0; i < 500; ++i) {
    const Configuration near = neighbour(space_, start_, 1e-6, random_);
    layers.insert(near[1]);
    optimizers.insert(near[2]);
    if (near.is_active(3)) momenta.insert(near[3]);
  }
  EXPECT_GE(layers.size(), 3U);
  EXPECT_EQ(optimizers.size(), 3U);
  EXPECT_GT(momenta.size(), 5U) << "of a parameter that was inactive, any value";
}

TEST_F(NeighbourTest, TheSameSeedGivesTheSame) {
  Random other(7);
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(neighbour(space_, start_, 0.1, random_), neighbour(space_, start_, 0.1, other));
  }
}

}  // namespace
}  // namespace cmbo::space
