// SPDX-License-Identifier: Apache-2.0
#include "network/model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cmbo::network {
namespace {

using ::testing::HasSubstr;

Model small_model() {
  NetworkConfig config;
  config.dimensions = 3;
  config.width = 8;
  config.layers = 1;
  config.heads = 2;
  config.head_width = 6;
  config.bars = 3;
  auto network = make_network(config);
  std::vector<float> weights(network->table().size());
  network->table().initialize(4, weights);
  return {std::move(network), Bars({0.0F, 0.25F, 0.5F, 1.0F}), std::move(weights),
          Json{{"seed", 4}}, Copula{.noise = 0.25, .length = 2.0}};
}

// The file with the first occurrence of `from` replaced by `to`, of the same length.
std::string changed(std::string_view from, std::string_view to) {
  std::string bytes = model_to_bytes(small_model());
  EXPECT_EQ(from.size(), to.size());
  const size_t at = bytes.find(from);
  EXPECT_NE(at, std::string::npos);
  return bytes.replace(at, from.size(), to);
}

std::string model_problem(std::string_view bytes) {
  const auto model = model_from_bytes(bytes);
  return model.ok() ? "no problem" : model.error().message();
}

TEST(ModelTest, ReadsBackWhatItWrote) {
  const Model model = small_model();
  const Model again = model_from_bytes(model_to_bytes(model)).value();
  EXPECT_EQ(again.weights(), model.weights());
  EXPECT_EQ(again.card(), model.card());
  EXPECT_EQ(again.copula(), model.copula());
  EXPECT_EQ(again.network().table().hash(), model.network().table().hash());
  EXPECT_TRUE(std::equal(again.bars().borders().begin(), again.bars().borders().end(),
                         model.bars().borders().begin()));
}

TEST(ModelTest, RefusesForeignAndDamagedFiles) {
  EXPECT_THAT(model_problem(changed("cmbo-model-2", "cmbo-model-9")),
              HasSubstr("train the model again"));
  EXPECT_THAT(model_problem(changed("architecture_hash", "architecture_hush")),
              HasSubstr("no 'architecture_hash'"));
  EXPECT_THAT(model_problem(changed("\\\"width\\\":8", "\\\"width\\\":4")),
              HasSubstr("architecture"));
  EXPECT_THAT(model_problem(changed("embed.row.weight", "embed.raw.weight")), HasSubstr("embed.r"));
  EXPECT_THAT(model_problem(changed("bars.borders", "bars.bordres")), HasSubstr("bars.borders"));
  const std::string bytes = model_to_bytes(small_model());
  EXPECT_NE(model_problem(bytes.substr(0, bytes.size() - 1)), "no problem");
  EXPECT_NE(model_problem(bytes + "x"), "no problem");
  EXPECT_NE(model_problem(""), "no problem");
}

TEST(ModelTest, FindsEveryFlippedBitOfTheWeights) {
  const std::string bytes = model_to_bytes(small_model());
  const size_t weights = 4 * (small_model().weights().size() + 4 + 2);
  for (size_t back = 1; back <= weights; back += 7) {
    std::string flipped = bytes;
    flipped[bytes.size() - back] = static_cast<char>(flipped[bytes.size() - back] ^ 0x10);
    ASSERT_NE(model_problem(flipped), "no problem") << back;
  }
}

}  // namespace
}  // namespace cmbo::network
