// SPDX-License-Identifier: Apache-2.0
#include "digits/minibench.h"

#include <atomic>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>
#include <limits>
#include <mutex>
#include <zlib.h>

#include "base/hash.h"
#include "curves/jsonl_format.h"
#include "digits/trainer.h"
#include "space/pool.h"

namespace cmbo::digits {

namespace {

constexpr uint64_t kPoolSeed = 1;
constexpr int kGzipWindow = 16 + MAX_WBITS;  // 16 = with gzip's header and checksum
constexpr int kGzipMemory = 9;               // the most that zlib knows

constexpr const char* kSpace = R"({
  "learning_rate": {"type": "float", "low": 0.003, "high": 1.5, "log": true},
  "momentum": {"type": "float", "low": 0.0, "high": 0.99},
  "weight_decay": {"type": "float", "low": 1e-6, "high": 0.02, "log": true},
  "width": {"type": "int", "low": 8, "high": 128, "log": true},
  "depth": {"type": "int", "low": 1, "high": 4},
  "batch_size": {"type": "int", "low": 8, "high": 128, "log": true},
  "dropout": {"type": "float", "low": 0.0, "high": 0.5},
  "schedule": {"type": "categorical", "choices": ["constant", "cosine", "linear"]}
})";

// The nearest number of so few digits: files stay small, and say exactly what was trained.
double rounded(double value) {
  return std::strtod(fmt::format("{:.4g}", value).c_str(), nullptr);
}

space::Configuration rounded(const space::Space& space, const space::Configuration& exact) {
  std::vector<double> values;
  for (size_t i = 0; i < space.size(); ++i) values.push_back(rounded(exact[i]));
  return space::Configuration(std::move(values));
}

uint64_t seed_of(const std::string& task, size_t configuration) {
  Fnv1a hash;
  hash.add(task);
  hash.add(uint64_t{configuration});
  return hash.value();
}

curves::TaskHeader header_of(const BenchTask& task, size_t epochs) {
  const bool accuracy = task.metric == BenchMetric::kAccuracy;
  curves::TaskHeader header;
  header.name = task.name;
  header.metric = accuracy ? "val_acc" : "val_loss";
  header.goal = accuracy ? curves::Goal::kMaximize : curves::Goal::kMinimize;
  header.first_epoch = 0;
  header.last_epoch = static_cast<int>(epochs);
  header.range.low = 0.0;
  if (accuracy) header.range.high = 1.0;
  header.notes["about"] = task.about;
  header.space = bench_space();
  return header;
}

float recorded(const Metrics& metrics, BenchMetric metric) {
  const double value = metric == BenchMetric::kAccuracy ? metrics.val_acc : metrics.val_loss;
  return std::isnan(value) ? std::numeric_limits<float>::quiet_NaN()
                           : curves::recorded_value(rounded(value));
}

std::vector<float> train_curve(const BenchTask& task, const Plan& plan) {
  Trainer trainer(task.data, plan);
  State state = trainer.start();
  std::vector<float> curve = {recorded(trainer.evaluate(state), task.metric)};
  for (size_t epoch = 0; epoch < plan.epochs; ++epoch) {
    trainer.train_epoch(state);
    curve.push_back(recorded(state.history.back(), task.metric));
  }
  return curve;
}

}  // namespace

space::Space bench_space() {
  const auto json = parse_json(kSpace);
  CHECK(json.ok(), "the space is JSON");
  auto space = space::Space::from_json(*json);
  CHECK(space.ok(), "the space is sound");
  return std::move(space).value();
}

std::optional<curves::Task> record(const BenchTask& task, const BenchOptions& options,
                                   ThreadPool& pool, const BenchProgress& progress) {
  const space::Space space = bench_space();
  const auto configurations = space::sobol_pool(space, options.configurations, kPoolSeed);
  auto recording = curves::Task::create(header_of(task, options.epochs));
  CHECK(recording.ok(), "the header is sound");

  std::vector<std::vector<float>> curves(configurations.size());
  std::mutex mutex;
  size_t done = 0;
  std::atomic<bool> given_up = false;
  pool.parallel_for(configurations.size(), [&](size_t n) {
    if (given_up) return;
    Plan plan{.parameters = {}, .epochs = options.epochs, .seed = seed_of(task.name, n)};
    const Status set = set_parameters(
        plan.parameters, space.configuration_to_json(rounded(space, configurations[n])));
    CHECK(set.ok(), "the space is one of hyperparameters");
    curves[n] = train_curve(task, plan);
    const std::lock_guard lock(mutex);
    if (!progress(++done)) given_up = true;
  });
  if (given_up) return std::nullopt;
  for (size_t n = 0; n < configurations.size(); ++n) {
    const Status added = recording->add(rounded(space, configurations[n]), curves[n]);
    CHECK(added.ok(), "a curve of another task");
  }
  return std::move(recording).value();
}

std::string to_jsonl_gz(const curves::Task& task) {
  std::string text = curves::task_to_jsonl(task);
  z_stream stream = {};
  const int started = ::deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, kGzipWindow,
                                     kGzipMemory, Z_DEFAULT_STRATEGY);
  CHECK(started == Z_OK, "zlib did not start");
  std::string packed(::deflateBound(&stream, static_cast<uLong>(text.size())), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(text.data());
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  const int finished = ::deflate(&stream, Z_FINISH);
  CHECK(finished == Z_STREAM_END, "the bound was too small");
  packed.resize(stream.total_out);
  ::deflateEnd(&stream);
  return packed;
}

}  // namespace cmbo::digits
