// SPDX-License-Identifier: Apache-2.0
#include "network/point_network.h"

#include <algorithm>
#include <cmath>

#include "tensor/elementwise.h"
#include "tensor/linear.h"

namespace cmbo::network {

namespace {

constexpr size_t kAnswersPerBlock = 64;

// x and t of a token; y stays 0.
void fill_place(const curves::CurveTable& table, uint32_t row, size_t epoch, float* out,
                size_t features) {
  std::fill_n(out, features, 0.0F);
  const std::span<const float> x = table.configuration(row);
  std::copy(x.begin(), x.end(), out);
  out[features - 2] = static_cast<float>(epoch) / static_cast<float>(table.horizon);
}

}  // namespace

PointNetwork::PointNetwork(const NetworkConfig& config)
    : Network(config), transformer_(config_, table_), head_(config_, table_) {
  const size_t d = config.width, W = config.head_width, F = token_features();
  embed_w_ = table_.add("embed.weight", {d, F}, 0.0F, initial_deviation(F));
  embed_b_ = table_.add("embed.bias", {d}, 0.0F, 0.0F);
  hidden_w_ = table_.add("hidden.weight", {W, d}, 0.0F, initial_deviation(d));
  hidden_b_ = table_.add("hidden.bias", {W}, 0.0F, 0.0F);
}

size_t PointNetwork::context_size(const Question& question) const {
  size_t points = 1;  // the value before training
  for (const uint32_t row : question.context) points += question.observed.lengths[row];
  return points;
}

void PointNetwork::fill_context(const Question& question, float* out) const {
  const curves::CurveTable& table = question.observed;
  CHECK(table.dimensions <= config_.dimensions, "more dimensions than the network has");
  const size_t F = token_features();
  std::fill_n(out, F, 0.0F);
  out[F - 1] = table.initial;
  out += F;
  for (const uint32_t row : question.context) {
    const std::span<const float> curve = table.curve(row);
    for (size_t e = 0; e < curve.size(); ++e, out += F) {
      fill_place(table, row, e + 1, out, F);
      out[F - 1] = curve[e];
    }
  }
}

void PointNetwork::fill_queries(const Question& question, size_t first, size_t count,
                                float* out) const {
  const size_t F = token_features();
  for (size_t i = first; i < first + count; ++i, out += F) {
    fill_place(question.observed, question.asked[i / question.epochs_each], question.epochs[i], out,
               F);
  }
}

double PointNetwork::loss(const float* params, const Bars& bars, const Question& question,
                          const Targets& targets, uint64_t seed, float* grads,
                          Scratch& scratch) const {
  scratch.reset();
  const size_t d = config_.width, W = config_.head_width, F = token_features();
  const TokenCounts n{context_size(question), question.answers()};
  const size_t R = n.queries;
  float* const features = scratch.take(n.rows() * F);
  fill_context(question, features);
  fill_queries(question, 0, R, features + n.context * F);
  float* const h = scratch.take(n.rows() * d);
  tensor::linear_forward({n.rows(), F, d}, features, {params + embed_w_, params + embed_b_}, h);
  Transformer::Saved saved;
  const float* const result = transformer_.forward(params, n, h, seed, saved, scratch);
  const float* const queries = result + n.context * d;

  float* const pre = scratch.take(R * W);
  float* const hidden = scratch.take(R * W);
  tensor::linear_gelu_forward({R, d, W}, queries, {params + hidden_w_, params + hidden_b_}, pre,
                              hidden);
  float* const centers = scratch.take(R);
  for (size_t r = 0; r < R; ++r) {
    centers[r] = question.last_value(question.asked[r / question.epochs_each]);
  }
  float* const dhidden = scratch.take(R * W);
  const double loss =
      head_.loss(params, {R, hidden, centers},
                 {bars, targets.values.data(), targets.weights.data()}, dhidden, grads, scratch);

  float* const dh = scratch.take_zeros(n.rows() * d);
  tensor::gelu_backward(R * W, pre, dhidden, dhidden);
  tensor::linear_backward(
      {R, d, W}, {queries, params + hidden_w_}, dhidden,
      {.dW = grads + hidden_w_, .db = grads + hidden_b_, .dx = dh + n.context * d});
  transformer_.backward(params, n, saved, dh, grads, scratch);
  tensor::linear_backward({n.rows(), F, d}, {features, params + embed_w_}, dh,
                          {.dW = grads + embed_w_, .db = grads + embed_b_});
  return loss;
}

void PointNetwork::answer(const float* params, const Question& question, ThreadPool& pool,
                          const std::function<void(const AnswerBlock&)>& take) const {
  const size_t d = config_.width, W = config_.head_width, F = token_features();
  const size_t C = context_size(question), all = question.answers();
  const tensor::LinearWeights embed{params + embed_w_, params + embed_b_};
  Scratch context_scratch;
  Transformer::Memory memory;
  float* const features = context_scratch.take(C * F);
  float* const h = context_scratch.take(C * d);
  fill_context(question, features);
  tensor::linear_forward({C, F, d}, features, embed, h);
  transformer_.read_context(params, C, h, memory, context_scratch);

  pool.parallel_for((all + kAnswersPerBlock - 1) / kAnswersPerBlock, [&](size_t block) {
    thread_local Scratch scratch;
    scratch.reset();
    const size_t first = block * kAnswersPerBlock, R = std::min(kAnswersPerBlock, all - first);
    float* const asked = scratch.take(R * F);
    float* const tokens = scratch.take(R * d);
    float* const hidden = scratch.take(R * W);
    float* const centers = scratch.take(R);
    float* const probabilities = scratch.take(R * config_.bars);
    float* const copies = scratch.take(R * kCopyValues);
    fill_queries(question, first, R, asked);
    tensor::linear_forward({R, F, d}, asked, embed, tokens);
    transformer_.answer(params, memory, R, tokens, scratch);
    tensor::linear_gelu_forward({R, d, W}, tokens, {params + hidden_w_, params + hidden_b_}, hidden,
                                hidden);
    for (size_t r = 0; r < R; ++r) {
      centers[r] = question.last_value(question.asked[(first + r) / question.epochs_each]);
    }
    head_.distributions(params, {R, hidden, centers}, probabilities, copies);
    take({first, R, probabilities, copies, centers});
  });
}

}  // namespace cmbo::network
