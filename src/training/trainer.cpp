// SPDX-License-Identifier: Apache-2.0
#include "training/trainer.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "curves/records.h"
#include "curves/warp.h"

namespace cmbo::training {

namespace {

// Streams of one step; forks of forks, so that nothing depends on the order of drawing.
constexpr uint64_t kDropoutStream = 1'000'000;

}  // namespace

Trainer::Trainer(const network::Network& network, const network::Bars& bars,
                 std::vector<curves::CurveTable> tables, const TrainingOptions& options)
    : network_(network),
      bars_(bars),
      options_(options),
      optimizer_(network.table(), options.optimizer) {
  CHECK(!tables.empty() || options.prior_share >= 1.0, "nothing to train on");
  options_.mixup.relatives = network.config().hints;
  if (!tables.empty()) mixup_ = std::make_unique<curves::Mixup>(std::move(tables));
  gradients_.resize(options.batch);
}

TrainingState Trainer::start() const {
  std::vector<float> weights(network_.table().size());
  network_.table().initialize(options_.seed, weights);
  return start_from(std::move(weights));
}

TrainingState Trainer::start_from(std::vector<float> weights) {
  TrainingState state;
  state.weights = std::move(weights);
  state.moment1.assign(state.weights.size(), 0.0F);
  state.moment2.assign(state.weights.size(), 0.0F);
  state.average = state.weights;
  return state;
}

float Trainer::learning_rate(double progress) const {
  const double warm = options_.warm_up_share;
  const double factor =
      progress < warm
          ? progress / warm
          : 0.5 *
                (1.0 + std::cos(std::numbers::pi * std::min(1.0, (progress - warm) / (1 - warm))));
  return options_.learning_rate * static_cast<float>(factor);
}

Example Trainer::draw(size_t step, size_t index) const {
  Random random = Random(options_.seed).fork(step).fork(index);
  const bool from_prior = mixup_ == nullptr || random.chance(options_.prior_share);
  auto [table, relatives, promises] =
      from_prior ? curves::DrawnTable{curves::sample_prior(options_.prior, random), {}, {}}
                 : mixup_->draw(options_.rows, options_.mixup, random);
  if (!from_prior && options_.blended_share > 0 && random.chance(options_.blended_share)) {
    curves::blend_with_prior(table, random);
  }
  if (!from_prior && random.chance(options_.warped_share)) {
    curves::apply(curves::draw_warp(options_.warp_strength, random), table);
  }
  Example example = random.chance(options_.single_curve_share)
                        ? draw_single_curve_example(table, options_.example, random)
                        : draw_example(table, options_.example, random, promises);
  std::vector<uint32_t> same_rows(table.size());
  std::iota(same_rows.begin(), same_rows.end(), 0U);
  network::Question& question = example.question;
  question.hints = curves::hints_of({relatives, same_rows}, question.observed, question.context);
  return example;
}

double Trainer::step(TrainingState& state, double progress, ThreadPool& pool) {
  const size_t n = network_.table().size(), batch = options_.batch, step = ++state.step;
  std::vector<double> losses(batch);
  pool.parallel_for(batch, [&](size_t i) {
    thread_local network::Scratch scratch;
    gradients_[i].assign(n, 0.0F);
    const Example example = draw(step, i);
    const uint64_t seed = Random(options_.seed).fork(step).fork(kDropoutStream + i).next();
    losses[i] = network_.loss(state.weights.data(), bars_, example.question, example.targets, seed,
                              gradients_[i].data(), scratch);
  });
  optimizer_.update(step, learning_rate(progress), 1.0F / static_cast<float>(batch), gradients_,
                    {state.weights, state.moment1, state.moment2}, pool);
  // A young average leans on the newest weights, or it would remember the initial ones for long.
  const double young = (1.0 + static_cast<double>(step)) / (10.0 + static_cast<double>(step));
  const auto keep = static_cast<float>(std::min(options_.average_decay, young));
  for (size_t p = 0; p < n; ++p) {
    state.average[p] = keep * state.average[p] + (1.0F - keep) * state.weights[p];
  }
  return std::accumulate(losses.begin(), losses.end(), 0.0) / static_cast<double>(batch);
}

double mean_loss(const network::Network& network, const network::Bars& bars,
                 std::span<const float> weights, std::span<const Example> examples,
                 ThreadPool& pool) {
  double sum = 0.0;
  for (const Example& example : examples) {
    std::vector<double> losses(example.question.answers());
    network.answer(weights.data(), example.question, pool, [&](const network::AnswerBlock& block) {
      for (size_t i = 0; i < block.count; ++i) {
        const size_t at = block.first + i;
        losses[at] = -block.distribution(bars, i).log_density(example.targets.values[at]);
      }
    });
    for (size_t i = 0; i < losses.size(); ++i) {
      sum += losses[i] * static_cast<double>(example.targets.weights[i]);
    }
  }
  return sum / static_cast<double>(std::max<size_t>(1, examples.size()));
}

}  // namespace cmbo::training
