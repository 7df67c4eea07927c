// SPDX-License-Identifier: Apache-2.0
#include "digits/data_set.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/temporary_directory.h"
#include "digits/image.h"
#include "digits/minibench_tasks.h"

namespace cmbo::digits {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Result<DataSet> read_text(const std::string& text) {
  const TemporaryDirectory directory;
  const Status written = real_file_system().write_atomically(directory / "set.csv", text);
  CHECK(written.ok(), "no disk");
  return read_data_set(real_file_system(), directory / "set.csv");
}

TEST(DataSetTest, ReadsTheDigits) {
  const auto set = read_data_set(real_file_system(), CMBO_DIGITS_DATA "/digits.csv.gz");
  ASSERT_TRUE(set.ok()) << set.error().message();
  EXPECT_EQ(set->size(), 1797U);
  EXPECT_EQ(set->features, 64U);
  EXPECT_EQ(set->classes, 10U);
  EXPECT_EQ(set->labels[9], 9U);
}

TEST(DataSetTest, PassesOverATitle) {
  const auto set = read_text("2,2,good,bad\n1,2.5,0\n1e-3,4,1\n");
  ASSERT_TRUE(set.ok()) << set.error().message();
  EXPECT_THAT(set->x, ElementsAre(1.0F, 2.5F, 1e-3F, 4.0F));
  EXPECT_THAT(set->labels, ElementsAre(0U, 1U));
}

TEST(DataSetTest, SaysWhereAFileIsWrong) {
  EXPECT_THAT(read_text("1,2,0\n1,0\n").error().message(), HasSubstr("set.csv:2: 2 columns"));
  EXPECT_THAT(read_text("1,2,0\n1,x,0\n").error().message(), HasSubstr("'x' is not a number"));
  EXPECT_THAT(read_text("1,2,0.5\n").error().message(), HasSubstr("class"));
  EXPECT_THAT(read_text("a,b,c\n").error().message(), HasSubstr("no samples"));
}

TEST(DataSetTest, SplitsWithoutLossAndAlwaysTheSame) {
  DataSet all{.features = 1, .classes = 2, .x = {}, .labels = {}};
  for (uint32_t i = 0; i < 100; ++i) all.add(std::vector{static_cast<float>(i)}, i % 2);
  const Split parts = split(all, 0.25, 1);
  EXPECT_EQ(parts.validation.size(), 25U);
  std::vector<float> seen = parts.train.x;
  seen.insert(seen.end(), parts.validation.x.begin(), parts.validation.x.end());
  EXPECT_NE(seen, all.x);
  std::sort(seen.begin(), seen.end());
  EXPECT_EQ(seen, all.x);
  EXPECT_EQ(split(all, 0.25, 1).train.x, parts.train.x);
  EXPECT_NE(split(all, 0.25, 2).train.x, parts.train.x);
}

TEST(DataSetTest, StandardizesByTheTrainingPart) {
  Split parts;
  parts.train = {.features = 2, .classes = 2, .x = {1, 5, 3, 5}, .labels = {0, 1}};
  parts.validation = {.features = 2, .classes = 2, .x = {4, 6}, .labels = {0}};
  standardize(parts);
  EXPECT_THAT(parts.train.x, ElementsAre(-1, 0, 1, 0));
  EXPECT_THAT(parts.validation.x, ElementsAre(2, 0));
}

TEST(ImageTest, MovesTurnsAndShrinks) {
  const std::vector<float> image = {1, 2, 3, 4};  // 1 2 / 3 4
  EXPECT_THAT(shift_image(image, 1, 0), ElementsAre(0, 0, 1, 2));
  EXPECT_THAT(shift_image(image, 0, -1), ElementsAre(2, 0, 4, 0));
  EXPECT_THAT(turn_image(image), ElementsAre(3, 1, 4, 2));
  EXPECT_THAT(shrink_image(image), ElementsAre(2.5F));
}

TEST(ImageTest, AnImageHasNinePlaces) {
  const DataSet one{.features = 4, .classes = 1, .x = {1, 2, 3, 4}, .labels = {0}};
  const DataSet all = shifted(one);
  EXPECT_EQ(all.size(), 9U);
  EXPECT_THAT(all.sample(4), ElementsAre(1, 2, 3, 4));
}

TEST(MinibenchTasksTest, TheyAreWellFormed) {
  const auto tasks = bench_tasks(real_file_system(), CMBO_DIGITS_DATA);
  ASSERT_TRUE(tasks.ok()) << tasks.error().message();
  EXPECT_GE(tasks->size(), 12U);
  for (const BenchTask& task : *tasks) {
    EXPECT_EQ(task.data.train.features, task.data.validation.features) << task.name;
    EXPECT_GT(task.data.validation.size(), 50U) << task.name;
    std::vector<size_t> counts(task.data.train.classes);
    for (const uint32_t label : task.data.train.labels) ++counts[label];
    EXPECT_THAT(counts, ::testing::Each(::testing::Gt(0U))) << task.name;
  }
}

}  // namespace
}  // namespace cmbo::digits
