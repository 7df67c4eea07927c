// SPDX-License-Identifier: Apache-2.0
//
// Learning curves of the digits trainer: one task, the same pool of configurations in every task,
// 50 epochs each.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "base/thread_pool.h"
#include "curves/task.h"
#include "digits/minibench_tasks.h"

namespace cmbo::digits {

inline constexpr size_t kBenchConfigurations = 256;
inline constexpr size_t kBenchEpochs = 50;

struct BenchOptions {
  size_t configurations = kBenchConfigurations;
  size_t epochs = kBenchEpochs;
};

// What the configurations are drawn from.
space::Space bench_space();

// Told after every curve, from any thread but one at a time; false = give up.
using BenchProgress = std::function<bool(size_t curves)>;

// Trains every configuration; nullopt if `progress` gave up. The same for any number of threads.
std::optional<curves::Task> record(const BenchTask& task, const BenchOptions& options,
                                   ThreadPool& pool, const BenchProgress& progress);

// The task as a gzip-compressed file of JSON lines.
std::string to_jsonl_gz(const curves::Task& task);

}  // namespace cmbo::digits
