// SPDX-License-Identifier: Apache-2.0
#include "network/network.h"

#include <cmath>
#include <gtest/gtest.h>
#include <mutex>

#include "curves/prior.h"
#include "curves/records.h"

namespace cmbo::network {
namespace {

NetworkConfig small(Kind kind, bool pre_norm, bool hints = false) {
  NetworkConfig config;
  config.kind = kind;
  config.dimensions = 5;
  config.width = 12;
  config.layers = 2;
  config.heads = 3;
  config.head_width = 10;
  config.bars = 7;
  config.pre_norm = pre_norm;
  config.hints = hints;
  return config;
}

// A task of the prior with observations of some rows; the context may be empty.
Question question(bool with_context) {
  Random random(3);
  Question q;
  q.observed = curves::sample_prior(
      {.configurations = 20, .min_dimensions = 4, .max_dimensions = 4, .horizons = {10}}, random);
  for (uint32_t row = 0; row < 20; ++row) {
    q.observed.lengths[row] = with_context && row < 6 ? row + 1 : 0;
    if (q.observed.lengths[row] > 0) q.context.push_back(row);
  }
  q.asked = {0, 3, 8, 9, 15};
  q.epochs_each = 3;
  for (const uint32_t row : q.asked) {
    for (uint32_t e = 0; e < 3; ++e) q.epochs.push_back(q.observed.lengths[row] + 1 + 2 * e);
  }
  for (uint32_t& epoch : q.epochs) epoch = std::min(epoch, 10U);
  return q;
}

Question with_hints(Question q, bool hints) {
  Random random(12);
  if (hints) q.hints.resize(q.observed.size() * curves::kHints);
  for (float& hint : q.hints) hint = static_cast<float>(random.uniform());
  if (hints) std::fill_n(q.hints.begin() + 2 * curves::kHints, curves::kHints, 0.0F);  // unknown
  return q;
}

Targets targets(const Question& q) {
  Targets t;
  for (size_t i = 0; i < q.answers(); ++i) {
    t.values.push_back(q.observed.y[q.asked[i / q.epochs_each] * 10 + q.epochs[i] - 1]);
    t.weights.push_back(0.5F + 0.1F * static_cast<float>(i % 4));
  }
  return t;
}

// Random in every parameter: the zeros that a fresh network starts with would hide mistakes.
std::vector<float> random_weights(const Network& network) {
  std::vector<float> weights(network.table().size());
  Random random(17);
  for (float& w : weights) w = 0.3F * static_cast<float>(random.normal());
  return weights;
}

const Bars& bars() {
  static const Bars kBars({0.0F, 0.001F, 0.1F, 0.25F, 0.4F, 0.6F, 0.8F, 1.0F});
  return kBars;
}

struct NetworkCase {
  Kind kind;
  bool pre_norm;
  bool with_context;
  bool hints = false;
};

class NetworkTest : public ::testing::TestWithParam<NetworkCase> {
 protected:
  std::unique_ptr<Network> network_ =
      make_network(small(GetParam().kind, GetParam().pre_norm, GetParam().hints));
  Question question_ = with_hints(question(GetParam().with_context), GetParam().hints);
  Targets targets_ = targets(question_);
  std::vector<float> weights_ = random_weights(*network_);
  Scratch scratch_;

  double loss(const std::vector<float>& weights, std::vector<float>& grads) {
    grads.assign(weights.size(), 0.0F);
    return network_->loss(weights.data(), bars(), question_, targets_, 0, grads.data(), scratch_);
  }
};

TEST_P(NetworkTest, GradientMatchesFiniteDifferencesInEveryParameter) {
  std::vector<float> grads, ignored;
  loss(weights_, grads);
  Random random(5);
  for (const ParameterSpec& spec : network_->table().specs()) {
    std::vector<float> ahead = weights_, behind = weights_;
    const float h = 2e-3F;
    double slope = 0.0, size = 0.0;
    for (size_t i = spec.offset; i < spec.offset + spec.size; ++i) {
      const auto direction = static_cast<float>(random.normal());
      ahead[i] += h * direction;
      behind[i] -= h * direction;
      slope += static_cast<double>(grads[i] * direction);
      size += static_cast<double>(grads[i] * grads[i]);
    }
    const double measured =
        (loss(ahead, ignored) - loss(behind, ignored)) / (2.0 * static_cast<double>(h));
    EXPECT_NEAR(slope, measured, 3e-3 * (1.0 + std::sqrt(size))) << spec.name;
  }
}

TEST_P(NetworkTest, AnswersAgreeWithTheLoss) {
  std::vector<float> grads;
  const double expected = loss(weights_, grads);
  for (const size_t threads : {1U, 3U}) {
    ThreadPool pool(threads);
    std::mutex mutex;
    double sum = 0.0;
    network_->answer(weights_.data(), question_, pool, [&](const AnswerBlock& block) {
      const std::lock_guard lock(mutex);
      for (size_t i = 0; i < block.count; ++i) {
        const size_t at = block.first + i;
        sum -= static_cast<double>(targets_.weights[at]) *
               block.distribution(bars(), i).log_density(targets_.values[at]);
      }
    });
    EXPECT_NEAR(sum, expected, 1e-4 * std::abs(expected));
  }
}

// The mean of every answer.
std::vector<double> means(const Network& network, const std::vector<float>& weights,
                          const Question& q) {
  ThreadPool pool(2);
  std::vector<double> result(q.answers());
  network.answer(weights.data(), q, pool, [&](const AnswerBlock& block) {
    for (size_t i = 0; i < block.count; ++i) {
      result[block.first + i] = block.distribution(bars(), i).mean();
    }
  });
  return result;
}

TEST_P(NetworkTest, OrderOfContextAndCompanyDoNotMatter) {
  const std::vector<double> expected = means(*network_, weights_, question_);
  Question reversed = question_;
  std::reverse(reversed.context.begin(), reversed.context.end());
  const std::vector<double> reordered = means(*network_, weights_, reversed);
  Question alone = question_;
  alone.asked = {question_.asked[3]};
  alone.epochs.assign(question_.epochs.begin() + 9, question_.epochs.begin() + 12);
  const std::vector<double> single = means(*network_, weights_, alone);
  for (size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(reordered[i], expected[i], 1e-5);
  for (size_t i = 0; i < 3; ++i) EXPECT_NEAR(single[i], expected[9 + i], 1e-5);
}

TEST(NetworkHintsTest, NoHintsAreHintsOfZero) {
  const std::unique_ptr<Network> network = make_network(small(Kind::kCurve, false, true));
  const std::vector<float> weights = random_weights(*network);
  const Question without = question(true);
  Question zeros = without;
  zeros.hints.assign(zeros.observed.size() * curves::kHints, 0.0F);
  EXPECT_EQ(means(*network, weights, zeros), means(*network, weights, without));
  // Those of an asked row and those of the context both matter.
  for (const uint32_t row : {9U, 2U}) {
    Question told = zeros;
    told.hints[row * curves::kHints] = 1.0F;
    const std::vector<double> before = means(*network, weights, told);
    EXPECT_NE(before, means(*network, weights, without)) << row;
    told.hints[row * curves::kHints + 3] = 0.75F;
    EXPECT_NE(means(*network, weights, told), before) << row;
  }
}

TEST(NetworkHintsTest, TheyStandForTheConfiguration) {
  const std::unique_ptr<Network> network = make_network(small(Kind::kCurve, false, true));
  const std::vector<float> weights = random_weights(*network);
  Question told = question(true);
  told.hints.assign(told.observed.size() * curves::kHints, 0.0F);
  for (const uint32_t row : {9U, 2U}) {
    told.hints[row * curves::kHints] = 1.0F;
    Question moved = told;
    moved.observed.x[row * moved.observed.dimensions] += 0.25F;
    EXPECT_EQ(means(*network, weights, moved), means(*network, weights, told)) << row;
    told.hints[row * curves::kHints] = moved.hints[row * curves::kHints] = 0.0F;  // unknown
    EXPECT_NE(means(*network, weights, moved), means(*network, weights, told)) << row;
  }
}

INSTANTIATE_TEST_SUITE_P(All, NetworkTest,
                         ::testing::Values(NetworkCase{Kind::kCurve, true, true},
                                           NetworkCase{Kind::kCurve, true, false},
                                           NetworkCase{Kind::kCurve, false, true},
                                           NetworkCase{Kind::kCurve, false, true, true},
                                           NetworkCase{Kind::kPoint, false, true},
                                           NetworkCase{Kind::kPoint, false, false},
                                           NetworkCase{Kind::kPoint, true, true}));

}  // namespace
}  // namespace cmbo::network
