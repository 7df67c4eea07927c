// SPDX-License-Identifier: Apache-2.0
//
// cmbo bench network: how near training comes to the speed of matrix products on this machine, and
// how long a forecast takes. Everything is measured in one run, because machines are shared.
#include <algorithm>
#include <fmt/format.h>
#include <numeric>

#include "base/thread_pool.h"
#include "cli/command.h"
#include "cli/text.h"
#include "curves/prior.h"
#include "forecast/sampler.h"
#include "network/model.h"
#include "tensor/blas.h"
#include "tensor/gemm.h"
#include "training/example.h"

namespace cmbo::cli {

namespace {

constexpr size_t kContextPoints = 150;
constexpr size_t kQueries = 2048;
constexpr size_t kTasks = 4;
constexpr size_t kPool = 1000, kEpochs = 50, kObservedCurves = 60, kObservedEpochs = 5;
constexpr size_t kCurves = forecast::SamplingOptions{}.count;

struct BenchOptions {
  size_t threads = 0;  // 0 = all cores
  size_t repeats = 5;  // of each measurement; the median counts
  bool json = false;
};

// Median seconds of `repeats` runs after one to warm up.
template <typename Work>
double median_seconds(const BenchOptions& options, const Clock& clock, const Work& work) {
  std::vector<double> seconds;
  work();
  for (size_t i = 0; i < options.repeats; ++i) {
    const double begin = clock.monotonic_seconds();
    work();
    seconds.push_back(clock.monotonic_seconds() - begin);
  }
  std::sort(seconds.begin(), seconds.end());
  return seconds[seconds.size() / 2];
}

network::NetworkConfig bench_config(network::Kind kind, size_t width) {
  network::NetworkConfig config;
  config.kind = kind;
  config.dimensions = 8;
  config.width = width;
  config.head_width = kind == network::Kind::kPoint ? 2 * width : config.head_width;
  config.bars = kind == network::Kind::kPoint ? 1000 : config.bars;
  config.copy = kind == network::Kind::kCurve;
  return config;
}

// Multiply-adds, times two, of the products in a training step of the point network on one task.
double point_step_flops(const network::NetworkConfig& c) {
  const auto d = static_cast<double>(c.width), rows = double{kContextPoints + 1 + kQueries};
  const auto layers = static_cast<double>(c.layers), hidden = static_cast<double>(c.hidden());
  const double linear = layers * rows * (4 * d * d + 2 * d * hidden);
  const double attention = layers * rows * (kContextPoints + 1) * 2 * d;
  const double head =
      double{kQueries} * static_cast<double>(c.head_width) * (d + static_cast<double>(c.bars));
  return 3.0 * 2.0 * (linear + attention + head);
}

// GFLOPS of products [2199][d] x [d][2d], one on each thread at a time.
double gemm_gflops(size_t d, const BenchOptions& options, Context& context, ThreadPool& pool) {
  const size_t rows = kContextPoints + 1 + kQueries, out = 2 * d;
  constexpr size_t kProducts = 16;
  std::vector<std::vector<float>> a(pool.size(), std::vector<float>(rows * d, 0.5F)),
      b(pool.size(), std::vector<float>(out * d, 0.25F)),
      c(pool.size(), std::vector<float>(rows * out));
  const double seconds = median_seconds(options, context.clock, [&] {
    pool.parallel_for(pool.size(), [&](size_t t) {
      for (size_t i = 0; i < kProducts; ++i) {
        tensor::gemm_nt({.M = rows, .N = out, .K = d}, a[t].data(), b[t].data(), c[t].data());
      }
    });
  });
  return 2.0 * static_cast<double>(rows * d * out * kProducts * pool.size()) / seconds * 1e-9;
}

training::Example point_example(Random& random) {
  const curves::CurveTable table = curves::sample_prior(
      {.configurations = 256, .min_dimensions = 8, .max_dimensions = 8, .horizons = {kEpochs}},
      random);
  std::vector<uint32_t> lengths(256, 0), asked;
  std::fill_n(lengths.begin(), kContextPoints / kObservedEpochs, uint32_t{kObservedEpochs});
  for (uint32_t row = 0; row < 256; ++row) asked.push_back(row);
  std::vector<uint32_t> epochs;
  for (size_t i = 0; i < kQueries; ++i) {
    epochs.push_back(static_cast<uint32_t>(kEpochs - random.index(kEpochs - kObservedEpochs)));
  }
  return training::example_of_state(table, lengths, asked, std::move(epochs), kQueries / 256);
}

double train_gflops(size_t width, const BenchOptions& options, Context& context, ThreadPool& pool) {
  const network::NetworkConfig config = bench_config(network::Kind::kPoint, width);
  const auto network = network::make_network(config);
  const network::Bars bars = network::Bars::from_values({}, config.bars, 1e-5F);
  std::vector<float> weights(network->table().size());
  network->table().initialize(1, weights);
  std::vector<std::vector<float>> gradients(kTasks, std::vector<float>(weights.size()));
  std::vector<training::Example> examples;
  for (size_t i = 0; i < kTasks; ++i) {
    Random random(i);
    examples.push_back(point_example(random));
  }
  const double seconds = median_seconds(options, context.clock, [&] {
    pool.parallel_for(kTasks, [&](size_t i) {
      thread_local network::Scratch scratch;
      (void)network->loss(weights.data(), bars, examples[i].question, examples[i].targets, 0,
                          gradients[i].data(), scratch);
    });
  });
  return static_cast<double>(kTasks) * point_step_flops(config) / seconds * 1e-9;
}

double forecast_ms(network::Kind kind, const BenchOptions& options, Context& context,
                   ThreadPool& pool) {
  const network::NetworkConfig config = bench_config(kind, 128);
  auto network = network::make_network(config);
  std::vector<float> weights(network->table().size());
  network->table().initialize(1, weights);
  const network::Model model(std::move(network), network::Bars::from_values({}, config.bars, 1e-5F),
                             std::move(weights), {}, {.noise = 0.2, .length = 2.0});
  Random random(1);
  curves::CurveTable history = curves::sample_prior(
      {.configurations = kPool, .min_dimensions = 8, .max_dimensions = 8, .horizons = {kEpochs}},
      random);
  for (size_t n = 0; n < kPool; ++n) {
    history.lengths[n] = n < kObservedCurves ? uint32_t{kObservedEpochs} : 0;
  }
  std::vector<uint32_t> asked(kPool);
  std::iota(asked.begin(), asked.end(), 0U);
  return 1e3 * median_seconds(options, context.clock, [&] {
           (void)forecast::sample(model, history, asked, {.count = kCurves}, pool);
         });
}

Outcome bench_network(const BenchOptions& options, Context& context) {
  ThreadPool pool(options.threads);
  const double gemm_128 = gemm_gflops(128, options, context, pool);
  const double train_128 = train_gflops(128, options, context, pool);
  const double gemm_512 = gemm_gflops(512, options, context, pool);
  const double train_512 = train_gflops(512, options, context, pool);
  const double curve_ms = forecast_ms(network::Kind::kCurve, options, context, pool);
  const double point_ms = forecast_ms(network::Kind::kPoint, options, context, pool);
  if (options.json) {
    const Json report = {{"threads", pool.size()},
                         {"blas_core", tensor::blas().core},
                         {"gemm_gflops", std::max(gemm_128, gemm_512)},
                         {"gemm_gflops_128", gemm_128},
                         {"gemm_gflops_512", gemm_512},
                         {"train_fraction_128", train_128 / gemm_128},
                         {"train_fraction_512", train_512 / gemm_512},
                         {"forecast_ms_curve", curve_ms},
                         {"forecast_ms_point", point_ms}};
    context.terminal.print(report.dump(2) + "\n");
    return kOk;
  }
  context.terminal.print(fmt::format(
      "{} threads, median of {} runs each\n\n"
      "matrix products       {:.0f} GFLOPS at width 128, {:.0f} at 512 (OpenBLAS for {})\n"
      "training step, point  {:.2f} of that at width 128, {:.2f} at 512\n"
      "forecast, curve       {:.0f} ms for {} configurations x {} epochs x {} sampled curves\n"
      "forecast, point       {:.0f} ms, {:.1f} times as long\n",
      pool.size(), options.repeats, gemm_128, gemm_512, tensor::blas().core, train_128 / gemm_128,
      train_512 / gemm_512, curve_ms, kPool, kEpochs, kCurves, point_ms, point_ms / curve_ms));
  return kOk;
}

}  // namespace

void add_bench_commands(CLI::App& app, Action& chosen) {
  CLI::App& bench = *app.add_subcommand("bench", "measure this machine");
  bench.require_subcommand(1);
  add_command<BenchOptions>(
      bench, chosen, "network", "training and forecasting against the speed of matrix products",
      bench_network, [](CLI::App& command, BenchOptions& options) {
        command.add_option("--threads", options.threads, "0 = all cores")->capture_default_str();
        command.add_option("--repeats", options.repeats, "of each measurement")
            ->check(CLI::Range(1, 1000))
            ->capture_default_str();
        command.add_flag("--json", options.json, "print as JSON");
      });
  add_bench_study_command(bench, chosen);
}

}  // namespace cmbo::cli
