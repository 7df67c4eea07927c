// SPDX-License-Identifier: Apache-2.0
#include "network/model.h"

#include <fmt/format.h>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include "network/safetensors.h"

namespace cmbo::network {
namespace {

using ::testing::HasSubstr;

Model small_model(curves::Records records = {}) {
  NetworkConfig config;
  config.hints = !records.tables().empty();
  config.dimensions = 3;
  config.width = 8;
  config.layers = 1;
  config.heads = 2;
  config.head_width = 6;
  config.bars = 3;
  auto network = make_network(config);
  std::vector<float> weights(network->table().size());
  network->table().initialize(4, weights);
  return {std::move(network), Bars({0.0F, 0.25F, 0.5F, 1.0F}),      std::move(weights),
          Json{{"seed", 4}},  Copula{.noise = 0.25, .length = 2.0}, std::move(records)};
}

// Two tasks over three configurations and four epochs.
curves::Records small_records() {
  std::vector<curves::CurveTable> tables(2);
  for (curves::CurveTable& table : tables) {
    table.dimensions = 2;
    table.horizon = 4;
    table.initial = &table == tables.data() ? 0.25F : 0.5F;
    for (uint32_t n = 0; n < 3; ++n) {
      const auto row = table.add(4 - n);
      std::fill(row.x.begin(), row.x.end(), 0.25F * static_cast<float>(n));
      std::fill_n(row.y.begin(), 4 - n, table.initial + 0.125F * static_cast<float>(n));
    }
  }
  return curves::Records(std::move(tables));
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
  EXPECT_THAT(model_problem(changed("cmbo-model-3", "cmbo-model-9")),
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

TEST(ModelTest, KeepsTheRecordsThatItsHintsComeFrom) {
  const Model again = model_from_bytes(model_to_bytes(small_model(small_records()))).value();
  const curves::Records written = small_records();
  ASSERT_EQ(again.records().tables().size(), 2U);
  for (size_t k = 0; k < 2; ++k) {
    const curves::CurveTable &table = again.records().tables()[k], &expected = written.tables()[k];
    EXPECT_EQ(table.x, expected.x);
    EXPECT_EQ(table.y, expected.y);
    EXPECT_EQ(table.lengths, expected.lengths);
    EXPECT_EQ(table.initial, expected.initial);
    EXPECT_EQ(table.horizon, expected.horizon);
  }
  const std::vector<uint32_t> context = {1};
  EXPECT_EQ(again.records().hints(written.tables()[0], context),
            written.hints(written.tables()[0], context));
}

// A model with records after one of its tensors was changed, with the checksum of the change.
std::string problem_of_records(const std::string& name,
                               const std::function<void(Tensor&)>& change) {
  TensorFile file = parse_safetensors(model_to_bytes(small_model(small_records()))).value();
  for (Tensor& tensor : file.tensors) {
    if (tensor.name == name) change(tensor);
  }
  uLong sum = crc32(0, nullptr, 0);
  for (const Tensor& tensor : file.tensors) {
    sum = crc32_z(sum, reinterpret_cast<const Bytef*>(tensor.values.data()),
                  tensor.values.size() * sizeof(float));
  }
  file.metadata["crc32"] = fmt::format("{:08x}", sum);
  return model_problem(to_safetensors(file));
}

TEST(ModelTest, RefusesRecordsThatDoNotFit) {
  EXPECT_EQ(problem_of_records("", [](Tensor&) {}), "no problem");
  for (const char* name :
       {"records.configurations", "records.initial", "records.lengths", "records.curves"}) {
    SCOPED_TRACE(name);
    EXPECT_THAT(problem_of_records(name, [](Tensor& t) { t.name += "x"; }),
                HasSubstr(std::string(name) + "' is missing"));
    const auto longer = [](Tensor& t) {
      t.values.resize(t.values.size() / t.shape.front() * (t.shape.front() + 1));
      t.shape.front() += 1;
    };
    EXPECT_THAT(problem_of_records(name, longer), HasSubstr("do not fit"));
    EXPECT_THAT(problem_of_records(name, [](Tensor& t) { t.shape.push_back(1); }),
                HasSubstr("do not fit"));
    EXPECT_NE(problem_of_records(name, [](Tensor& t) { t.values[0] = -0.5F; }), "no problem");
    EXPECT_NE(problem_of_records(name, [](Tensor& t) { t.values[0] = 4.5F; }), "no problem");
  }
}

}  // namespace
}  // namespace cmbo::network
