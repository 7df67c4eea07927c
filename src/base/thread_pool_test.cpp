// SPDX-License-Identifier: Apache-2.0
#include "base/thread_pool.h"

#include <atomic>
#include <gtest/gtest.h>
#include <vector>

namespace cmbo {
namespace {

TEST(ThreadPoolTest, VisitsEveryIndexOnce) {
  for (const size_t threads : {1u, 2u, 5u}) {
    ThreadPool pool(threads);
    EXPECT_EQ(pool.size(), threads);
    for (const size_t count : {0u, 1u, 3u, 1000u}) {
      std::vector<std::atomic<int>> visits(count);
      pool.parallel_for(count, [&](size_t i) { ++visits[i]; });
      for (const auto& visit : visits) EXPECT_EQ(visit, 1);
    }
  }
}

TEST(ThreadPoolTest, ManyShortLoopsInARow) {
  ThreadPool pool(4);
  std::atomic<size_t> sum{0};
  for (int loop = 0; loop < 500; ++loop) pool.parallel_for(8, [&](size_t i) { sum += i; });
  EXPECT_EQ(sum, 500u * 28u);
}

TEST(ThreadPoolDeathTest, RefusesToNest) {
  ThreadPool pool(1);
  EXPECT_DEATH(pool.parallel_for(1, [&](size_t) { pool.parallel_for(1, [](size_t) {}); }),
               "does not nest");
}

}  // namespace
}  // namespace cmbo
