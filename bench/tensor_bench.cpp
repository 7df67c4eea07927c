// SPDX-License-Identifier: Apache-2.0
//
// What the kernels of src/tensor cost next to the matrix products of the same layer, in one thread.
// Every benchmark times the linear layers' bare products right before each iteration, so that the
// ratios hold on a busy machine too:
//   gflops    the rate of the kernel or of the whole layer or step
//   fraction  that rate / the rate of the bare products
//   of_layer  time of the kernel / time of a layer's bare products, forward and backward
//   GB/s      what an element-wise kernel reads and writes, against BM_copy
#include <benchmark/benchmark.h>
#include <cstring>
#include <functional>
#include <time.h>

#include "tensor_bench_layer.h"

namespace cmbo::tensor {
namespace {

using Action = std::function<void()>;

// Processor time of this thread, which other programs lengthen far less than the wall clock's.
double now() {
  timespec time = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

double seconds(const Action& action) {
  const double start = now();
  action();
  return now() - start;
}

// Runs `action` and a layer's bare products by turns.
void compare(benchmark::State& state, Layer& layer, double flops, const Action& action) {
  double own = 0.0, bare = 0.0;
  for (auto _ : state) {
    bare += seconds([&] { layer.products(); });
    const double time = seconds(action);
    own += time;
    state.SetIterationTime(time);
  }
  const auto runs = static_cast<double>(state.iterations());
  const double bare_rate = layer.product_flops() * runs / bare;
  state.counters["of_layer"] = own / bare;
  if (flops <= 0.0) return;
  state.counters["gflops"] = flops * runs / own / 1e9;
  state.counters["fraction"] = flops * runs / own / bare_rate;
  state.counters["bare"] = bare_rate / 1e9;
}

Layer layer_of(const benchmark::State& state) {
  return Layer(
      {.context = 150, .queries = 2048, .width = static_cast<size_t>(state.range(0)), .heads = 4});
}

void BM_products(benchmark::State& state) {
  Layer layer = layer_of(state);
  compare(state, layer, layer.product_flops(), [&] { layer.products(); });
}

void BM_layer(benchmark::State& state) {
  Layer layer = layer_of(state);
  compare(state, layer, layer.flops(), [&] {
    layer.forward();
    layer.backward();
  });
}

// Layers and head of a step for one task: what the network will do, without its bookkeeping.
void BM_step(benchmark::State& state) {
  Layer layer = layer_of(state);
  Head head(layer.sizes(), 1000);
  compare(state, layer, 4 * layer.flops() + head.flops(), [&] {
    for (int i = 0; i < 4; ++i) layer.forward();
    head.forward_backward(layer.output());
    for (int i = 0; i < 4; ++i) layer.backward();
  });
}

void BM_attention_forward(benchmark::State& state) {
  Layer layer = layer_of(state);
  compare(state, layer, layer.attention_flops(), [&] { layer.attention_forward(); });
}

void BM_attention_backward(benchmark::State& state) {
  Layer layer = layer_of(state);
  layer.forward();
  compare(state, layer, 2 * layer.attention_flops(), [&] { layer.attention_backward(); });
}

void BM_cross_entropy(benchmark::State& state) {
  Layer layer = layer_of(state);
  Head head(layer.sizes(), 1000);
  compare(state, layer, 0, [&] { head.loss(); });
}

// Element-wise kernels over the [rows][columns] of a layer, with their traffic.
void stream(benchmark::State& state, double arrays, const std::function<void(Elementwise&)>& f) {
  Layer layer = layer_of(state);
  Elementwise data(layer.sizes());
  compare(state, layer, 0, [&] { f(data); });
  state.counters["GB/s"] = benchmark::Counter(arrays * static_cast<double>(data.n) * sizeof(float) *
                                                  static_cast<double>(state.iterations()),
                                              benchmark::Counter::kIsRate);
}

void BM_copy(benchmark::State& state) {
  stream(state, 2,
         [](Elementwise& d) { std::memcpy(d.y.data(), d.x.data(), d.n * sizeof(float)); });
}
void BM_residual_add(benchmark::State& state) {
  stream(state, 3, [](Elementwise& d) { residual_add(d.n, d.x.data(), d.z.data(), d.y.data()); });
}
void BM_gelu_forward(benchmark::State& state) {
  stream(state, 2, [](Elementwise& d) { gelu_forward(d.n, d.x.data(), d.y.data()); });
}
void BM_gelu_backward(benchmark::State& state) {
  stream(state, 3, [](Elementwise& d) { gelu_backward(d.n, d.x.data(), d.z.data(), d.y.data()); });
}
void BM_dropout(benchmark::State& state) {
  stream(state, 2, [](Elementwise& d) {
    dropout_forward({.seed = 1, .probability = 0.2F}, d.n, d.x.data(), d.y.data());
  });
}
void BM_layer_norm_forward(benchmark::State& state) {
  stream(state, 2, [](Elementwise& d) {
    layer_norm_forward(d.rows, d.x.data(), {d.gamma.data(), d.beta.data()}, d.y.data(),
                       d.stats.data());
  });
}
void BM_layer_norm_backward(benchmark::State& state) {
  stream(state, 3, [](Elementwise& d) {
    layer_norm_backward(d.rows, {d.x.data(), d.stats.data(), d.gamma.data()}, d.z.data(),
                        d.y.data(), {d.dgamma.data(), d.dbeta.data()});
  });
}
void BM_adamw(benchmark::State& state) {
  stream(state, 7, [](Elementwise& d) {
    adamw_step({}, 1, {d.n, d.x.data(), d.z.data(), d.y.data(), d.w.data()});
  });
}
void BM_sum_of_squares(benchmark::State& state) {
  stream(state, 1,
         [](Elementwise& d) { benchmark::DoNotOptimize(sum_of_squares(d.n, d.x.data())); });
}

// A fixed number of turns, because the products take far longer than what they are compared with.
#define CMBO_BENCHMARK(name)                                                                 \
  BENCHMARK(name)->Arg(128)->UseManualTime()->Unit(benchmark::kMillisecond)->Iterations(20); \
  BENCHMARK(name)->Arg(512)->UseManualTime()->Unit(benchmark::kMillisecond)->Iterations(3)
CMBO_BENCHMARK(BM_products);
CMBO_BENCHMARK(BM_layer);
CMBO_BENCHMARK(BM_step);
CMBO_BENCHMARK(BM_attention_forward);
CMBO_BENCHMARK(BM_attention_backward);
CMBO_BENCHMARK(BM_cross_entropy);
CMBO_BENCHMARK(BM_copy);
CMBO_BENCHMARK(BM_residual_add);
CMBO_BENCHMARK(BM_gelu_forward);
CMBO_BENCHMARK(BM_gelu_backward);
CMBO_BENCHMARK(BM_dropout);
CMBO_BENCHMARK(BM_layer_norm_forward);
CMBO_BENCHMARK(BM_layer_norm_backward);
CMBO_BENCHMARK(BM_adamw);
CMBO_BENCHMARK(BM_sum_of_squares);

}  // namespace
}  // namespace cmbo::tensor

BENCHMARK_MAIN();
