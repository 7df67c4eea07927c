// SPDX-License-Identifier: Apache-2.0
#include "training/trainer.h"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "training/checkpoint.h"
#include "training/evaluation.h"

namespace cmbo::training {
namespace {

using ::testing::HasSubstr;

// Curves that depend on the only parameter: y rises from 0.2 to x, at a speed that depends on x.
curves::CurveTable toy_table(uint64_t seed) {
  Random random(seed);
  curves::CurveTable table;
  table.dimensions = 1;
  table.horizon = 12;
  table.initial = 0.2F;
  for (int n = 0; n < 60; ++n) {
    const auto row = table.add(12);
    row.x[0] = static_cast<float>(random.uniform());
    for (size_t e = 0; e < 12; ++e) {
      const float speed = 0.2F + row.x[0];
      row.y[e] = 0.2F + (row.x[0] - 0.2F) * (1 - std::exp(-speed * static_cast<float>(e + 1)));
    }
  }
  return table;
}

network::NetworkConfig tiny() {
  network::NetworkConfig config;
  config.dimensions = 1;
  config.width = 16;
  config.layers = 1;
  config.heads = 2;
  config.head_width = 16;
  config.bars = 20;
  return config;
}

class TrainerTest : public ::testing::Test {
 protected:
  static TrainingOptions options() {
    TrainingOptions o;
    o.rows = 30;
    o.batch = 4;
    o.learning_rate = 5e-3F;
    o.example.asked = 12;
    o.example.epochs_each = 3;
    o.example.max_observations = 60;
    return o;
  }

  Trainer trainer() { return {*network_, bars_, {toy_table(1), toy_table(2)}, options()}; }

  std::unique_ptr<network::Network> network_ = network::make_network(tiny());
  network::Bars bars_ = network::Bars::from_values(toy_table(1).y, 20, 1e-3F);
};

TEST_F(TrainerTest, LearnsAToyTask) {
  Trainer trainer = this->trainer();
  TrainingState state = trainer.start();
  ThreadPool pool(2);
  constexpr int kSteps = 300;
  for (int i = 0; i < kSteps; ++i) (void)trainer.step(state, i / double{kSteps}, pool);
  const std::vector<curves::CurveTable> unseen = {toy_table(3)};
  const network::Model model(network::make_network(tiny()), bars_, state.average, Json::object());
  const auto cells =
      evaluate(model, unseen, {.totals = {30}, .prefixes = {0, 4}, .asked = 40}, pool);
  // A flat forecast has 0; knowing x and the shape gives far less.
  EXPECT_LT(cells[0].last.nll, -1.5);
  EXPECT_LT(cells[0].last.mae, 0.06);
  EXPECT_LT(cells[1].last.mae, 0.04);
}

// Whether a configuration is good has nothing to do with its coordinate, but all tasks agree.
curves::CurveTable agreeing_table(float stretch) {
  curves::CurveTable table = toy_table(7);
  Random random(8);
  for (size_t n = 0; n < table.size(); ++n) {
    const auto end = static_cast<float>(random.uniform());
    for (size_t e = 0; e < table.horizon; ++e) {
      table.y[n * table.horizon + e] = 0.2F + stretch * end * static_cast<float>(e + 1) / 12;
    }
  }
  return table;
}

TEST_F(TrainerTest, LearnsToTrustWhatOtherTasksSay) {
  const std::vector<curves::CurveTable> tables = {agreeing_table(0.3F), agreeing_table(0.4F),
                                                  agreeing_table(0.5F), agreeing_table(0.6F)};
  const std::vector<curves::CurveTable> unseen = {agreeing_table(0.7F)};
  std::vector<double> errors;
  for (const bool hints : {false, true}) {
    network::NetworkConfig config = tiny();
    config.hints = hints;
    const auto network = network::make_network(config);
    TrainingOptions o = options();
    o.warped_share = 0.0;
    Trainer trainer(*network, bars_, tables, o);
    TrainingState state = trainer.start();
    ThreadPool pool(2);
    constexpr int kSteps = 600;
    for (int i = 0; i < kSteps; ++i) (void)trainer.step(state, i / double{kSteps}, pool);
    const network::Model model(network::make_network(config), bars_, state.average, Json::object(),
                               {}, hints ? curves::Records(tables) : curves::Records());
    errors.push_back(
        evaluate(model, unseen, {.totals = {30}, .prefixes = {0}, .asked = 60}, pool)[0].last.mae);
  }
  EXPECT_LT(errors[1], errors[0] / 2);
}

TEST_F(TrainerTest, ThreadsDoNotChangeTheResult) {
  std::vector<std::vector<float>> results;
  for (const size_t threads : {1U, 3U}) {
    Trainer trainer = this->trainer();
    TrainingState state = trainer.start();
    ThreadPool pool(threads);
    for (int i = 0; i < 5; ++i) (void)trainer.step(state, 0.1, pool);
    results.push_back(state.weights);
  }
  EXPECT_EQ(results[0], results[1]);
}

TEST_F(TrainerTest, ResumingGoesOnAsIfNothingHadHappened) {
  Trainer trainer = this->trainer();
  ThreadPool pool(1);
  RunState whole{trainer.start(), 0.0, 0.0, {}};
  for (int i = 0; i < 6; ++i) (void)trainer.step(whole.training, 0.1 * i, pool);

  const Json run = {{"seed", 1}};
  RunState half{trainer.start(), 1.5, -2.0, {1.0F}};
  for (int i = 0; i < 3; ++i) (void)trainer.step(half.training, 0.1 * i, pool);
  RunState resumed = checkpoint_from_bytes(checkpoint_to_bytes(half, run), run).value();
  EXPECT_EQ(resumed.elapsed, 1.5);
  EXPECT_EQ(resumed.best_loss, -2.0);
  EXPECT_EQ(resumed.best_weights, half.best_weights);
  Trainer again = this->trainer();
  for (int i = 3; i < 6; ++i) (void)again.step(resumed.training, 0.1 * i, pool);
  EXPECT_EQ(resumed.training.weights, whole.training.weights);
  EXPECT_EQ(resumed.training.average, whole.training.average);
}

TEST_F(TrainerTest, CheckpointsOfOtherRunsAreRefused) {
  const RunState state{trainer().start(), 0.0, 0.0, {}};
  const std::string bytes = checkpoint_to_bytes(state, {{"seed", 1}});
  EXPECT_THAT(checkpoint_from_bytes(bytes, {{"seed", 2}}).error().message(),
              HasSubstr("seed was 1, now 2"));
  EXPECT_FALSE(checkpoint_from_bytes(bytes.substr(0, bytes.size() / 2), {{"seed", 1}}).ok());
}

TEST_F(TrainerTest, LearningRateWarmsUpAndFades) {
  const Trainer trainer = this->trainer();
  EXPECT_EQ(trainer.learning_rate(0.0), 0.0F);
  EXPECT_NEAR(trainer.learning_rate(0.05), 5e-3F, 1e-6F);
  EXPECT_NEAR(trainer.learning_rate(0.525), 2.5e-3F, 1e-5F);
  EXPECT_NEAR(trainer.learning_rate(1.0), 0.0F, 1e-8F);
}

}  // namespace
}  // namespace cmbo::training
