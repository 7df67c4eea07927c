// SPDX-License-Identifier: Apache-2.0
#include "network/parameter_table.h"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cmbo::network {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;

ParameterTable example_table() {
  ParameterTable table;
  table.add("weight", {3, 70000}, 0.5F, 2.0F);
  table.add("bias", {3}, 0.25F, 0.0F);
  return table;
}

std::vector<float> initialized(const ParameterTable& table, uint64_t seed) {
  std::vector<float> arena(table.size(), -1.0F);
  table.initialize(seed, arena);
  return arena;
}

TEST(ParameterTableTest, LaysParametersBehindEachOther) {
  ParameterTable table;
  EXPECT_EQ(table.size(), 0u);
  EXPECT_EQ(table.add("a", {2, 3}, 0, 1), 0u);
  EXPECT_EQ(table.add("scalar", {}, 0, 1), 6u);
  EXPECT_EQ(table.add("b", {4}, 0, 1), 7u);
  EXPECT_EQ(table.size(), 11u);
  ASSERT_EQ(table.specs().size(), 3u);
  EXPECT_EQ(table.specs()[0].size, 6u);
  EXPECT_EQ(table.specs()[1].size, 1u);
  EXPECT_EQ(table.specs()[2].offset, 7u);
  EXPECT_THAT(table.specs()[2].shape, ElementsAre(4u));
}

TEST(ParameterTableTest, RefusesImpossibleParameters) {
  ParameterTable table;
  table.add("a", {2}, 0, 1);
  EXPECT_DEATH(table.add("a", {3}, 0, 1), "two parameters have the name a");
  EXPECT_DEATH(table.add("", {3}, 0, 1), "needs a name");
  EXPECT_DEATH(table.add("b", {3, 0}, 0, 1), "without values");
  EXPECT_DEATH(table.add("b", {size_t{1} << 33, size_t{1} << 31}, 0, 1), "larger than the memory");
  EXPECT_DEATH(table.add("b", {SIZE_MAX / 4}, 0, 1), "larger than the memory");
  std::vector<float> short_arena(1);
  EXPECT_DEATH(table.initialize(1, short_arena), "of another table");
}

TEST(ParameterTableTest, InitialValuesHaveTheirMeanAndDeviation) {
  const ParameterTable table = example_table();
  const std::vector<float> arena = initialized(table, 1);
  const std::span weight = std::span(arena).first(210'000);
  double sum = 0;
  double squares = 0;
  for (const float initial : weight) {
    const auto value = static_cast<double>(initial);
    sum += value;
    squares += value * value;
  }
  const double mean = sum / 210'000;
  EXPECT_NEAR(mean, 0.5, 0.02);  // 4.6 standard errors
  EXPECT_NEAR(std::sqrt(squares / 210'000 - mean * mean), 2.0, 0.02);
  EXPECT_THAT(std::span(arena).subspan(210'000), Each(0.25F));
}

TEST(ParameterTableTest, InitialValuesDependOnTheSeedAlone) {
  const ParameterTable table = example_table();
  EXPECT_EQ(initialized(table, 1), initialized(table, 1));
  EXPECT_NE(initialized(table, 1), initialized(table, 2));
}

TEST(ParameterTableTest, AnotherParameterDoesNotChangeTheValuesOfTheOthers) {
  ParameterTable table = example_table();
  const std::vector<float> before = initialized(table, 1);
  table.add("more", {70000}, 0.5F, 2.0F);
  std::vector<float> after = initialized(table, 1);
  const std::vector<float> more(after.end() - 70000, after.end());
  after.resize(before.size());
  EXPECT_EQ(after, before);
  // Its own stream: the same distribution, other numbers.
  EXPECT_NE(more, std::vector<float>(before.begin(), before.begin() + 70000));
}

// Values from a separate FNV-1a over the same bytes, which agreed with the published test vectors.
TEST(ParameterTableTest, HashIsFnv1aOfNamesAndShapes) {
  EXPECT_EQ(ParameterTable().hash(), 0xcbf29ce484222325u);
  EXPECT_EQ(example_table().hash(), 0xc8159b8c58284bebu);
}

TEST(ParameterTableTest, HashTellsArchitecturesApart) {
  const auto hash = [](const std::vector<std::pair<std::string, std::vector<size_t>>>& parameters) {
    ParameterTable table;
    for (const auto& [name, shape] : parameters) table.add(name, shape, 0, 1);
    return table.hash();
  };
  const std::vector<uint64_t> hashes = {
      hash({}),
      hash({{"a", {}}}),
      hash({{"a", {1}}}),
      hash({{"a", {1, 1}}}),
      hash({{"ab", {2, 3}}}),
      hash({{"ab", {3, 2}}}),
      hash({{"ab", {6}}}),
      hash({{"a", {2}}, {"b", {3}}}),
      hash({{"b", {3}}, {"a", {2}}}),
      hash({{"a", {2, 3}}, {"b", {3}}}),
  };
  for (size_t i = 0; i < hashes.size(); ++i) {
    for (size_t j = 0; j < i; ++j) EXPECT_NE(hashes[i], hashes[j]) << i << " " << j;
  }
}

TEST(ParameterTableTest, HashIgnoresInitialValues) {
  ParameterTable one;
  ParameterTable two;
  one.add("a", {2}, 0, 1);
  two.add("a", {2}, 1, 0);
  EXPECT_EQ(one.hash(), two.hash());
}

ParameterTable small_table() {
  ParameterTable table;
  table.add("weight", {2, 2}, 0, 1);
  table.add("bias", {2}, 0, 1);
  return table;
}

// What unpack() says about these tensors; the arena must change on success only.
std::string unpack_problem(const std::vector<Tensor>& tensors) {
  std::vector<float> arena(6, 9.0F);
  const Status status = unpack(small_table(), tensors, arena);
  if (status.ok()) return "no problem";
  EXPECT_THAT(arena, Each(9.0F));
  return status.error().message();
}

TEST(ParameterTableTest, PacksAndUnpacksInAnyOrder) {
  const ParameterTable table = small_table();
  const std::vector<float> arena = {1, 2, 3, 4, 5, 6};
  std::vector<Tensor> tensors = pack(table, arena);
  ASSERT_EQ(tensors.size(), 2u);
  EXPECT_EQ(tensors[1].name, "bias");
  EXPECT_THAT(tensors[0].shape, ElementsAre(2u, 2u));
  EXPECT_THAT(tensors[1].values, ElementsAre(5, 6));
  std::swap(tensors[0], tensors[1]);
  std::vector<float> unpacked(6);
  ASSERT_TRUE(unpack(table, tensors, unpacked).ok());
  EXPECT_EQ(unpacked, arena);
}

TEST(ParameterTableTest, NamesTheTensorThatDoesNotFitTheTable) {
  const Tensor weight{"weight", {2, 2}, {1, 2, 3, 4}};
  const Tensor bias{"bias", {2}, {5, 6}};
  const char* advice = "name a model of this network or train one";
  EXPECT_EQ(unpack_problem({weight, bias}), "no problem");
  EXPECT_THAT(unpack_problem({weight}),
              AllOf(HasSubstr("tensor 'bias' is missing"), EndsWith(advice)));
  EXPECT_THAT(unpack_problem({weight, bias, {"more", {}, {1}}}),
              AllOf(HasSubstr("tensor 'more' is too many"), EndsWith(advice)));
  EXPECT_THAT(unpack_problem({weight, weight, bias}), HasSubstr("tensor 'weight' is too many"));
  EXPECT_THAT(unpack_problem({{"weight", {4}, {1, 2, 3, 4}}, bias}),
              AllOf(HasSubstr("tensor 'weight' has the shape [4], not [2, 2]"), EndsWith(advice)));
  EXPECT_THAT(unpack_problem({weight, {"bias", {2}, {5}}}), HasSubstr("tensor 'bias'"));
}

}  // namespace
}  // namespace cmbo::network
