// SPDX-License-Identifier: Apache-2.0
//
// Both networks against an independent float64 reference, tests/golden/make_networks.py, whose
// answers and gradients lie beside it. A change of these values is a change of the architecture:
// weights that were trained before it are worth nothing after it.
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <vector>

#include "base/check.h"
#include "base/file_system.h"
#include "base/json.h"
#include "network/network.h"

namespace cmbo::network {
namespace {

// Of an answer, relative above 1 and absolute below. Rounding was seen to make errors up to 1.4e-6;
// the rest is for kernels and libraries that add up in another order.
constexpr double kAnswerTolerance = 1e-5;
// Of gradients, in units of the whole parameter's norm, because its entries are sums over the same
// activations, and rounding does not become less where they happen to cancel. Seen: < 3e-6.
constexpr double kGradientTolerance = 3e-5;

Json read(const std::string& name) {
  const auto text = read_file(real_file_system(), "tests/golden/" + name + ".json", 1'000'000);
  CHECK(text.ok(), "run the test in the root of the repository");
  auto json = parse_json(*text);
  CHECK(json.ok(), json.error().message());
  return *std::move(json);
}

// The numbers of an array, row by row if it is nested.
template <typename T>
std::vector<T> flat(const Json& json) {
  std::vector<T> result;
  for (const Json& entry : json) {
    if (entry.is_array()) {
      const std::vector<T> inner = flat<T>(entry);
      result.insert(result.end(), inner.begin(), inner.end());
    } else {
      result.push_back(entry.get<T>());
    }
  }
  return result;
}

NetworkConfig read_config(const Json& file) {
  const auto config = config_from_json(file.at("config"));
  CHECK(config.ok(), config.error().message());
  return *config;
}

std::vector<float> read_weights(const Json& file, const ParameterTable& table) {
  std::vector<float> arena(table.size());
  const auto unit = file.at("weight_unit").get<float>();
  for (const ParameterSpec& spec : table.specs()) {
    const auto values = flat<float>(file.at("weights").at(spec.name));
    CHECK(values.size() == spec.size, "another shape than in the reference: " + spec.name);
    std::transform(values.begin(), values.end(), &arena[spec.offset],
                   [&](float value) { return unit * value; });
  }
  return arena;
}

Question read_question(const Json& json) {
  Question q;
  q.observed.dimensions = json.at("x")[0].size();
  q.observed.horizon = json.at("horizon").get<size_t>();
  q.observed.initial = json.at("initial").get<float>();
  q.observed.x = flat<float>(json.at("x"));
  q.observed.y = flat<float>(json.at("y"));
  q.observed.lengths = flat<uint32_t>(json.at("lengths"));
  if (json.contains("hints")) q.hints = flat<float>(json.at("hints"));
  q.context = flat<uint32_t>(json.at("context"));
  q.asked = flat<uint32_t>(json.at("asked"));
  q.epochs_each = json.at("epochs")[0].size();
  q.epochs = flat<uint32_t>(json.at("epochs"));
  return q;
}

// The same direction as the reference's.
double direction(size_t i) {
  return (static_cast<double>(i * 7 % 11) - 5) / 5;
}

struct Case {
  const char* file;
  const char* question;
};

class NetworkGoldenTest : public ::testing::TestWithParam<Case> {
 protected:
  const Json file_ = read(GetParam().file);
  const Json& golden_ = file_.at("questions").at(GetParam().question);
  const std::unique_ptr<Network> network_ = make_network(read_config(file_));
  const std::vector<float> weights_ = read_weights(file_, network_->table());
  const Question question_ = read_question(golden_);
  const Targets targets_{flat<float>(golden_.at("values")), flat<float>(golden_.at("weights"))};
  const std::vector<double> losses_ = flat<double>(golden_.at("negative_log_densities"));
  const Bars bars_{flat<float>(file_.at("borders"))};
};

TEST_P(NetworkGoldenTest, HasTheParametersOfTheReferenceInItsOrder) {
  std::vector<std::string> expected, names;
  for (const auto& [name, values] : file_.at("weights").items()) expected.push_back(name);
  for (const ParameterSpec& spec : network_->table().specs()) names.push_back(spec.name);
  EXPECT_EQ(names, expected);
}

TEST_P(NetworkGoldenTest, AnswersEveryEpochAsTheReferenceDoes) {
  ThreadPool pool(1);
  std::vector<double> losses(question_.answers(), std::nan(""));
  network_->answer(weights_.data(), question_, pool, [&](const AnswerBlock& block) {
    for (size_t i = block.first; i < block.first + block.count; ++i) {
      losses[i] = -block.distribution(bars_, i - block.first).log_density(targets_.values[i]);
    }
  });
  ASSERT_EQ(losses.size(), losses_.size());
  for (size_t i = 0; i < losses.size(); ++i) {
    EXPECT_NEAR(losses[i], losses_[i], kAnswerTolerance * std::max(1.0, std::abs(losses_[i])))
        << "answer " << i;
  }
}

TEST_P(NetworkGoldenTest, LossAndGradientsAreThoseOfTheReference) {
  std::vector<float> grads(weights_.size());
  Scratch scratch;
  const double loss =
      network_->loss(weights_.data(), bars_, question_, targets_, 0, grads.data(), scratch);
  // The terms have both signs, so it is their sizes that bound the error of the sum.
  double size = 0;
  for (size_t i = 0; i < losses_.size(); ++i) {
    size += static_cast<double>(targets_.weights[i]) * std::max(1.0, std::abs(losses_[i]));
  }
  EXPECT_NEAR(loss, golden_.at("loss").get<double>(), kAnswerTolerance * size);

  for (const ParameterSpec& spec : network_->table().specs()) {
    SCOPED_TRACE(spec.name);
    const Json& expected = golden_.at("gradients").at(spec.name);
    const auto first = flat<double>(expected.at("first"));
    double dot = 0, square = 0;
    for (size_t i = 0; i < spec.size; ++i) {
      const auto slope = static_cast<double>(grads[spec.offset + i]);
      dot += slope * direction(i);
      square += slope * slope;
    }
    // Exactly 0 where a parameter is of no use, as the points' encoder without any points.
    const auto norm = expected.at("norm").get<double>();
    const double tolerance = kGradientTolerance * norm;
    EXPECT_NEAR(std::sqrt(square), norm, tolerance);
    EXPECT_NEAR(dot, expected.at("dot").get<double>(), tolerance);
    ASSERT_EQ(first.size(), std::min<size_t>(spec.size, 8));
    for (size_t i = 0; i < first.size(); ++i) {
      EXPECT_NEAR(static_cast<double>(grads[spec.offset + i]), first[i], tolerance) << i;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, NetworkGoldenTest,
                         ::testing::Values(Case{"curve_pre_norm", "with_context"},
                                           Case{"curve_pre_norm", "without_context"},
                                           Case{"curve_post_norm", "with_context"},
                                           Case{"curve_post_norm", "without_context"},
                                           Case{"curve_hints", "with_context"},
                                           Case{"curve_hints", "without_context"},
                                           Case{"point_pre_norm", "with_context"},
                                           Case{"point_pre_norm", "without_context"},
                                           Case{"point_post_norm", "with_context"},
                                           Case{"point_post_norm", "without_context"}),
                         [](const auto& tested) {
                           return std::string(tested.param.file) + "_" + tested.param.question;
                         });

}  // namespace
}  // namespace cmbo::network
