// SPDX-License-Identifier: Apache-2.0
#include "digits/minibench.h"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>

#include "base/temporary_directory.h"
#include "curves/reader.h"

namespace cmbo::digits {
namespace {

const curves::CurveSet& bundled() {
  static const curves::CurveSet set = [] {
    auto read = curves::read_curves(real_file_system(), "data/minibench");
    CHECK(read.ok(), read.error().message());
    return std::move(read).value();
  }();
  return set;
}

const std::vector<BenchTask>& tasks() {
  static const std::vector<BenchTask> all = [] {
    auto made = bench_tasks(real_file_system(), CMBO_DIGITS_DATA);
    CHECK(made.ok(), made.error().message());
    return std::move(made).value();
  }();
  return all;
}

const BenchTask& wine() {
  for (const BenchTask& task : tasks()) {
    if (task.name == "wine") return task;
  }
  CHECK(false, "no such task");
}

TEST(MinibenchTest, TheBundledSetIsComplete) {
  ASSERT_EQ(bundled().tasks.size(), tasks().size());
  const curves::Task& first = bundled().tasks.front();
  for (const BenchTask& made : tasks()) {
    const curves::Task* const task = bundled().find(made.name);
    ASSERT_NE(task, nullptr) << made.name;
    EXPECT_EQ(task->header().first_epoch, 0);
    EXPECT_EQ(task->header().full_length(), kBenchEpochs + 1);
    EXPECT_EQ(task->header().range.low, 0.0);
    ASSERT_EQ(task->size(), kBenchConfigurations);
    for (size_t n = 0; n < task->size(); ++n) {
      EXPECT_EQ(task->curve(n).size(), kBenchEpochs + 1);
      EXPECT_TRUE(std::isfinite(task->curve(n)[0]));
      EXPECT_EQ(task->configuration(n), first.configuration(n)) << made.name;
    }
  }
}

TEST(MinibenchTest, TheBundledTasksAreWorthASearch) {
  std::set<size_t> winners;
  for (const curves::Task& task : bundled().tasks) {
    const float sign = task.header().goal == curves::Goal::kMaximize ? 1.0F : -1.0F;
    size_t best = 0, diverged = 0;
    for (size_t n = 0; n < task.size(); ++n) {
      const float last = task.curve(n).back();
      diverged += std::isnan(last) ? 1 : 0;
      if (!(sign * last <= sign * task.curve(best).back()) && !std::isnan(last)) best = n;
    }
    winners.insert(best);
    EXPECT_GT(diverged, 0U) << task.name();
    EXPECT_LT(diverged, task.size() / 4) << task.name();
  }
  EXPECT_GT(winners.size(), bundled().tasks.size() / 2);
}

// Other processors round otherwise, and a training amplifies that; the first weights are the same.
TEST(MinibenchTest, TheBundledCurvesBeginAsThisTrainerDoes) {
  ThreadPool pool(1);
  const auto task =
      record(wine(), {.configurations = 8, .epochs = 1}, pool, [](size_t) { return true; });
  ASSERT_TRUE(task);
  const curves::Task* const recorded = bundled().find("wine");
  ASSERT_NE(recorded, nullptr);
  for (size_t n = 0; n < task->size(); ++n) {
    EXPECT_EQ(task->configuration(n), recorded->configuration(n));
    EXPECT_NEAR(static_cast<double>(task->curve(n)[0]), static_cast<double>(recorded->curve(n)[0]),
                2e-3);
  }
}

TEST(MinibenchTest, AnyNumberOfThreadsRecordsTheSameFile) {
  const BenchOptions options = {.configurations = 6, .epochs = 3};
  ThreadPool one(1), three(3);
  const auto go_on = [](size_t) { return true; };
  const std::string file = to_jsonl_gz(*record(wine(), options, one, go_on));
  EXPECT_EQ(to_jsonl_gz(*record(wine(), options, three, go_on)), file);

  const TemporaryDirectory directory;
  ASSERT_TRUE(real_file_system().write_atomically(directory / "wine.jsonl.gz", file).ok());
  const auto set = curves::read_curves(real_file_system(), directory.path());
  ASSERT_TRUE(set.ok()) << set.error().message();
  EXPECT_EQ(set->tasks.at(0).size(), 6U);
  EXPECT_EQ(set->tasks.at(0).curve(5).size(), 4U);
}

TEST(MinibenchTest, GivesUpWhenTold) {
  ThreadPool pool(1);
  size_t told = 0;
  const auto task = record(wine(), {.configurations = 6, .epochs = 1}, pool, [&](size_t curves) {
    told = curves;
    return curves < 2;
  });
  EXPECT_FALSE(task);
  EXPECT_EQ(told, 2U);
}

}  // namespace
}  // namespace cmbo::digits
