// SPDX-License-Identifier: Apache-2.0
#include "digits/trainer.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "digits/optimizer.h"

namespace cmbo::digits {

namespace {

// Streams of the seed.
constexpr uint64_t kWeightStream = 0;
constexpr uint64_t kDropoutStream = 1;
constexpr uint64_t kEpochStream = 2;  // and all after it

// A loss so many times that of guessing will not come back.
constexpr double kExploded = 10.0;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr Metrics kDiverged = {kNan, kNan, kNan};

bool is_sane(double loss, size_t classes) {
  return std::isfinite(loss) && loss <= kExploded * std::log(static_cast<double>(classes));
}

double sum_of(std::span<const float> values) {
  return std::accumulate(values.begin(), values.end(), 0.0,
                         [](double sum, float value) { return sum + static_cast<double>(value); });
}

size_t count_correct(std::span<const float> logits, const DataSet& set) {
  size_t correct = 0;
  for (size_t i = 0; i < set.size(); ++i) {
    const auto row = logits.subspan(i * set.classes, set.classes);
    const auto best = std::max_element(row.begin(), row.end()) - row.begin();
    correct += best == static_cast<std::ptrdiff_t>(set.labels[i]) ? 1 : 0;
  }
  return correct;
}

}  // namespace

bool Metrics::diverged() const {
  return std::isnan(val_loss);
}

Trainer::Trainer(const Split& data, const Plan& plan)
    : data_(data),
      plan_(plan),
      network_({.features = data.train.features,
                .width = plan.parameters.width,
                .depth = plan.parameters.depth,
                .classes = data.train.classes}),
      gradient_(network_.weight_count()) {}

State Trainer::start() const {
  State state;
  state.weights.resize(network_.weight_count());
  state.momentum.assign(network_.weight_count(), 0.0F);
  Random random = Random(plan_.seed).fork(kWeightStream);
  network_.initialize(random, state.weights);
  return state;
}

Metrics Trainer::evaluate(const State& state) {
  const DataSet& set = data_.validation;
  network_.forward(state.weights, {set.x, set.labels}, {}, workspace_);
  const auto samples = static_cast<double>(set.size());
  const double loss = sum_of(workspace_.losses) / samples;
  if (!is_sane(loss, set.classes)) return kDiverged;
  return {static_cast<double>(count_correct(workspace_.logits, set)) / samples, loss, kNan};
}

void Trainer::train_epoch(State& state) {
  CHECK(state.step() < plan_.epochs, "trained to the end already");
  Metrics metrics = kDiverged;
  if (state.history.empty() || !state.history.back().diverged()) {
    const double train_loss = train_batches(state);
    if (is_sane(train_loss, data_.train.classes)) metrics = evaluate(state);
    if (!metrics.diverged()) metrics.train_loss = train_loss;
  }
  state.history.push_back(metrics);
}

// The mean loss of the epoch; not finite = diverged.
double Trainer::train_batches(State& state) {
  std::vector<size_t> order(data_.train.size());
  std::iota(order.begin(), order.end(), size_t{0});
  Random random = Random(plan_.seed).fork(kEpochStream + state.step());
  random.shuffle(std::span(order));

  const size_t size = std::min(plan_.parameters.batch_size, order.size());
  const size_t batches = order.size() / size;  // the rest waits for another epoch
  const auto horizon = static_cast<double>(plan_.epochs * batches);
  double loss = 0.0;
  for (size_t i = 0; i < batches; ++i) {
    load_batch(std::span(order).subspan(i * size, size));
    const size_t number = state.step() * batches + i;
    step(state, static_cast<double>(number) / horizon, number);
    loss += sum_of(workspace_.losses);
    if (!std::isfinite(loss)) return loss;
  }
  return loss / static_cast<double>(batches * size);
}

void Trainer::load_batch(std::span<const size_t> samples) {
  x_.clear();
  labels_.clear();
  for (const size_t i : samples) {
    const auto sample = data_.train.sample(i);
    x_.insert(x_.end(), sample.begin(), sample.end());
    labels_.push_back(data_.train.labels[i]);
  }
}

void Trainer::step(State& state, double progress, uint64_t number) {
  const Hyperparameters& p = plan_.parameters;
  const DropoutOptions dropout = {
      .probability = static_cast<float>(p.dropout),
      .seed = Random(plan_.seed).fork(kDropoutStream).fork(number).next()};
  const Batch batch = {x_, labels_};
  network_.forward(state.weights, batch, dropout, workspace_);
  network_.backward(state.weights, batch, dropout, workspace_, gradient_);
  momentum_step(
      {.rate = static_cast<float>(p.learning_rate * schedule_factor(p.schedule, progress)),
       .momentum = static_cast<float>(p.momentum),
       .weight_decay = static_cast<float>(p.weight_decay)},
      gradient_, state.momentum, state.weights);
}

}  // namespace cmbo::digits
