// SPDX-License-Identifier: Apache-2.0
#include "network/curve_network.h"

#include <algorithm>
#include <cmath>

#include "curves/records.h"
#include "network/features.h"
#include "tensor/elementwise.h"
#include "tensor/linear.h"
#include "tensor/pooling.h"

namespace cmbo::network {

namespace {

constexpr size_t kPointWidth = 64;
// When an answer is wanted: the epoch, and how far it is from the last observation.
constexpr size_t kDecodeFeatures = 2 * kTimeFeatures;
constexpr size_t kAskedPerBlock = 32;

constexpr size_t kStepFeatures = 2;  // of a point: from the one before it, and from y_0
constexpr size_t kPointFeatures = kTimeFeatures + kValueFeatures + kStepFeatures;

constexpr size_t kMotionFeatures = 5;  // see motion_features()
// What all tokens share (6); then the last step, the last and the best value, when the last one was
// and how the curve moves; y_0 comes at the end.
constexpr size_t kStateFeatures =
    7 + 2 * kValueFeatures + kTimeFeatures + kMotionFeatures + kInitialFeatures;

float share(size_t epoch, size_t horizon) {
  return static_cast<float>(epoch) / static_cast<float>(horizon);
}

// The best value that the context has shown.
float best_of_context(const Question& question) {
  float best = question.observed.initial;
  for (const uint32_t row : question.context) {
    for (const float y : question.observed.curve(row)) best = std::max(best, y);
  }
  return best;
}

float mean_step(std::span<const float> curve) {
  float sum = 0.0F;
  for (size_t e = 1; e < curve.size(); ++e) sum += std::abs(curve[e] - curve[e - 1]);
  return sum / static_cast<float>(std::max<size_t>(1, curve.size() - 1));
}

// How a curve moves, at all magnitudes: its last step, how far it came in the last half of its
// epochs, from y_0 and down from its best, and how large its latest steps are on average.
void motion_features(std::span<const float> curve, float initial, float* out) {
  constexpr size_t kLatest = 8;
  const size_t n = curve.size();
  const float last = curve.back(), previous = n > 1 ? curve[n - 2] : initial;
  const float half = n > 1 ? curve[(n - 1) / 2] : initial;
  out[0] = difference_feature(last - previous);
  out[1] = difference_feature(last - half);
  out[2] = difference_feature(last - initial);
  out[3] = difference_feature(last - *std::max_element(curve.begin(), curve.end()));
  out[4] = difference_feature(mean_step(curve.last(std::min(n, kLatest))));
}

size_t context_points(const Question& question) {
  size_t points = 0;
  for (const uint32_t row : question.context) points += question.observed.lengths[row];
  return points;
}

}  // namespace

struct CurveNetwork::Tokens {
  size_t N = 0;                  // tokens, the task's first if there is one
  size_t P = 0;                  // points of all of them
  size_t* offsets = nullptr;     // [N + 1] into the points
  float* points = nullptr;       // [P][kPointFeatures]
  float* before_gelu = nullptr;  // [P][kPointWidth]
  float* encoded = nullptr;      // [P][kPointWidth]
  float* pooled = nullptr;       // [N][kPointWidth]
  float* rows = nullptr;         // [N][row_features()]
  float* h = nullptr;            // [N][d], the tokens
  std::vector<size_t> offset_storage;
};

struct CurveNetwork::Decoded {
  float* times = nullptr;       // [Q E][kDecodeFeatures]
  float* first_pre = nullptr;   // [Q E][W] before GELU
  float* first = nullptr;       // [Q E][W]
  float* second_pre = nullptr;  // [Q E][W]
  float* hidden = nullptr;      // [Q E][W]
  float* centers = nullptr;     // [Q E]
};

size_t CurveNetwork::row_features() const {
  return kStateFeatures +
         kCoordinateFeatures * (config_.dimensions + (config_.hints ? curves::kHints : 0));
}

CurveNetwork::CurveNetwork(const NetworkConfig& config)
    : Network(config), transformer_(config_, table_), head_(config_, table_) {
  const size_t d = config.width, W = config.head_width;
  const auto add_linear = [&](const char* name, size_t out, size_t in, size_t& w, size_t* b) {
    w = table_.add(std::string(name) + ".weight", {out, in}, 0.0F, initial_deviation(in));
    if (b != nullptr) *b = table_.add(std::string(name) + ".bias", {out}, 0.0F, 0.0F);
  };
  add_linear("embed.point", kPointWidth, kPointFeatures, point_w_, &point_b_);
  add_linear("embed.pool", d, kPointWidth, pool_w_, nullptr);
  add_linear("embed.row", d, row_features(), row_w_, &row_b_);
  add_linear("decode.query", W, d, query_w_, &query_b_);
  add_linear("decode.time", W, kDecodeFeatures, time_w_, nullptr);
  add_linear("decode.second", W, W, second_w_, &second_b_);
}

// What all tokens of a question share stands in the same places of a row and of the task's token.
void CurveNetwork::fill_task_features(const Question& question, float* out) const {
  std::fill_n(out, row_features(), 0.0F);
  const float initial = question.observed.initial;
  out[0] = 1.0F;
  out[2] = 2.0F * initial - 1.0F;
  out[3] = std::log(static_cast<float>(question.observed.horizon)) / 6.0F;
  out[4] = std::log1p(static_cast<float>(context_points(question))) / 6.0F;
  out[5] = 2.0F * (best_of_context(question) - initial);
  initial_features(initial, out + kStateFeatures - kInitialFeatures);
}

void CurveNetwork::fill_row_features(const Question& question, uint32_t row, float* out) const {
  const curves::CurveTable& table = question.observed;
  out[0] = 0.0F;  // everything else that is shared was copied from the task's token
  float* const state = out + 6;
  const std::span<const float> curve = table.curve(row);
  if (!curve.empty()) {
    out[1] = 1.0F;
    const float last = curve.back();
    const float previous = curve.size() > 1 ? curve[curve.size() - 2] : table.initial;
    state[0] = std::clamp(10.0F * (last - previous), -1.0F, 1.0F);
    value_features(last, table.initial, state + 1);
    value_features(*std::max_element(curve.begin(), curve.end()), table.initial,
                   state + 1 + kValueFeatures);
    time_features(share(curve.size(), table.horizon), state + 1 + 2 * kValueFeatures);
    motion_features(curve, table.initial, state + 1 + 2 * kValueFeatures + kTimeFeatures);
  }
  std::span<const float> inputs = table.configuration(row);
  float* coordinate = out + kStateFeatures;
  if (config_.hints && !question.hints.empty() && question.hints[row * curves::kHints] > 0.0F) {
    inputs = std::span(question.hints).subspan(row * curves::kHints, curves::kHints);
    coordinate += kCoordinateFeatures * config_.dimensions;
  }
  for (const float x : inputs) {
    coordinate_features(x, coordinate);
    coordinate += kCoordinateFeatures;
  }
}

CurveNetwork::Tokens CurveNetwork::embed(const float* params, const Question& question,
                                         std::span<const uint32_t> rows, bool with_task,
                                         Scratch& scratch) const {
  const curves::CurveTable& table = question.observed;
  CHECK(table.dimensions <= config_.dimensions, "more dimensions than the network has");
  CHECK(question.hints.empty() || question.hints.size() == table.size() * curves::kHints,
        "hints for every row or for none");
  const size_t d = config_.width, F = row_features(), G = kPointFeatures;
  const size_t first = with_task ? 1 : 0;
  Tokens t;
  t.N = rows.size() + first;
  t.offset_storage.assign(first + 1, 0);
  for (const uint32_t row : rows) t.offset_storage.push_back(t.P += table.lengths[row]);
  t.offsets = t.offset_storage.data();
  t.points = scratch.take(t.P * G);
  t.before_gelu = scratch.take(t.P * kPointWidth);
  t.encoded = scratch.take(t.P * kPointWidth);
  t.pooled = scratch.take(t.N * kPointWidth);
  t.rows = scratch.take(t.N * F);
  t.h = scratch.take(t.N * d);

  std::vector<float> shared(F);
  fill_task_features(question, shared.data());
  for (size_t i = 0; i < t.N; ++i) std::copy(shared.begin(), shared.end(), t.rows + i * F);
  float* point = t.points;
  for (size_t i = 0; i < rows.size(); ++i) {
    fill_row_features(question, rows[i], t.rows + (i + first) * F);
    const std::span<const float> curve = table.curve(rows[i]);
    for (size_t e = 0; e < curve.size(); ++e, point += G) {
      time_features(share(e + 1, table.horizon), point);
      value_features(curve[e], table.initial, point + kTimeFeatures);
      float* const steps = point + G - kStepFeatures;
      steps[0] = difference_feature(curve[e] - (e > 0 ? curve[e - 1] : table.initial));
      steps[1] = difference_feature(curve[e] - table.initial);
    }
  }
  tensor::linear_gelu_forward({t.P, G, kPointWidth}, t.points,
                              {params + point_w_, params + point_b_}, t.before_gelu, t.encoded);
  tensor::pooled_encoding_forward({t.N, kPointWidth, t.offsets}, t.encoded, t.pooled);
  float* const from_pool = scratch.take(t.N * d);
  tensor::linear_forward({t.N, kPointWidth, d}, t.pooled, {params + pool_w_}, from_pool);
  tensor::linear_forward({t.N, F, d}, t.rows, {params + row_w_, params + row_b_}, t.h);
  tensor::residual_add(t.N * d, t.h, from_pool, t.h);
  return t;
}

void CurveNetwork::embed_backward(const float* params, const Tokens& t, const float* dh,
                                  float* grads, Scratch& scratch) const {
  const size_t d = config_.width, F = row_features();
  float* const dpooled = scratch.take(t.N * kPointWidth);
  float* const dencoded = scratch.take(t.P * kPointWidth);
  tensor::linear_backward({t.N, F, d}, {t.rows, params + row_w_}, dh,
                          {.dW = grads + row_w_, .db = grads + row_b_});
  tensor::linear_backward({t.N, kPointWidth, d}, {t.pooled, params + pool_w_}, dh,
                          {.dW = grads + pool_w_, .dx = dpooled});
  tensor::pooled_encoding_backward({t.N, kPointWidth, t.offsets}, dpooled, dencoded);
  tensor::gelu_backward(t.P * kPointWidth, t.before_gelu, dencoded, dencoded);
  tensor::linear_backward({t.P, kPointFeatures, kPointWidth}, {t.points, params + point_w_},
                          dencoded, {.dW = grads + point_w_, .db = grads + point_b_});
}

// The hidden activations of all epochs of the asked configurations first .. first + count - 1,
// whose tokens are queries [count][d].
CurveNetwork::Decoded CurveNetwork::decode(const float* params, const Question& question,
                                           size_t first, size_t count, const float* queries,
                                           Scratch& scratch) const {
  const size_t d = config_.width, W = config_.head_width, E = question.epochs_each;
  const size_t R = count * E, T = question.observed.horizon;
  Decoded out;
  out.times = scratch.take(R * kDecodeFeatures);
  out.first_pre = scratch.take(R * W);
  out.first = scratch.take(R * W);
  out.second_pre = scratch.take(R * W);
  out.hidden = scratch.take(R * W);
  out.centers = scratch.take(R);
  float* const of_epoch = scratch.take((T + 1) * kTimeFeatures);  // once, for there are few
  for (size_t epoch = 0; epoch <= T; ++epoch) {
    time_features(share(epoch, T), of_epoch + epoch * kTimeFeatures);
  }
  for (size_t r = 0; r < R; ++r) {
    const uint32_t row = question.asked[first + r / E];
    const size_t epoch = question.epochs[first * E + r], seen = question.observed.lengths[row];
    const size_t ahead = epoch - std::min(epoch, seen);
    float* const features = out.times + r * kDecodeFeatures;
    std::copy_n(of_epoch + epoch * kTimeFeatures, kTimeFeatures, features);
    std::copy_n(of_epoch + ahead * kTimeFeatures, kTimeFeatures, features + kTimeFeatures);
    out.centers[r] = question.last_value(row);
  }
  float* const from_query = scratch.take(count * W);
  tensor::linear_forward({count, d, W}, queries, {params + query_w_, params + query_b_},
                         from_query);
  tensor::linear_forward({R, kDecodeFeatures, W}, out.times, {params + time_w_}, out.first_pre);
  for (size_t r = 0; r < R; ++r) {
    float* const pre = out.first_pre + r * W;
    tensor::residual_add(W, pre, from_query + r / E * W, pre);
  }
  tensor::gelu_forward(R * W, out.first_pre, out.first);
  tensor::linear_gelu_forward({R, W, W}, out.first, {params + second_w_, params + second_b_},
                              out.second_pre, out.hidden);
  return out;
}

void CurveNetwork::decode_backward(const float* params, size_t count, size_t epochs_each,
                                   const Decoded& decoded, const float* queries,
                                   const float* dhidden, float* dqueries, float* grads,
                                   Scratch& scratch) const {
  const size_t d = config_.width, W = config_.head_width, R = count * epochs_each;
  float* const dsecond = scratch.take(R * W);
  float* const dfirst = scratch.take(R * W);
  float* const dfrom_query = scratch.take_zeros(count * W);
  tensor::gelu_backward(R * W, decoded.second_pre, dhidden, dsecond);
  tensor::linear_backward({R, W, W}, {decoded.first, params + second_w_}, dsecond,
                          {.dW = grads + second_w_, .db = grads + second_b_, .dx = dfirst});
  tensor::gelu_backward(R * W, decoded.first_pre, dfirst, dfirst);
  tensor::linear_backward({R, kDecodeFeatures, W}, {decoded.times, params + time_w_}, dfirst,
                          {.dW = grads + time_w_});
  for (size_t r = 0; r < R; ++r) {
    float* const sum = dfrom_query + r / epochs_each * W;
    tensor::residual_add(W, sum, dfirst + r * W, sum);
  }
  tensor::linear_backward({count, d, W}, {queries, params + query_w_}, dfrom_query,
                          {.dW = grads + query_w_, .db = grads + query_b_, .dx = dqueries});
}

double CurveNetwork::loss(const float* params, const Bars& bars, const Question& question,
                          const Targets& targets, uint64_t seed, float* grads,
                          Scratch& scratch) const {
  scratch.reset();
  const size_t d = config_.width, Q = question.asked.size();
  std::vector<uint32_t> rows = question.context;
  rows.insert(rows.end(), question.asked.begin(), question.asked.end());
  const Tokens tokens = embed(params, question, rows, true, scratch);
  const TokenCounts n{question.context.size() + 1, Q};
  Transformer::Saved saved;
  const float* const result = transformer_.forward(params, n, tokens.h, seed, saved, scratch);
  const float* const queries = result + n.context * d;

  const Decoded decoded = decode(params, question, 0, Q, queries, scratch);
  const size_t R = question.answers();
  float* const dhidden = scratch.take(R * config_.head_width);
  const double loss =
      head_.loss(params, {R, decoded.hidden, decoded.centers},
                 {bars, targets.values.data(), targets.weights.data()}, dhidden, grads, scratch);

  float* const dh = scratch.take_zeros(n.rows() * d);
  decode_backward(params, Q, question.epochs_each, decoded, queries, dhidden, dh + n.context * d,
                  grads, scratch);
  transformer_.backward(params, n, saved, dh, grads, scratch);
  embed_backward(params, tokens, dh, grads, scratch);
  return loss;
}

void CurveNetwork::answer(const float* params, const Question& question, ThreadPool& pool,
                          const std::function<void(const AnswerBlock&)>& take) const {
  const size_t E = question.epochs_each, Q = question.asked.size();
  Scratch context_scratch;
  Transformer::Memory memory;
  const Tokens context = embed(params, question, question.context, true, context_scratch);
  transformer_.read_context(params, context.N, context.h, memory, context_scratch);

  const size_t blocks = (Q + kAskedPerBlock - 1) / kAskedPerBlock;
  pool.parallel_for(blocks, [&](size_t block) {
    thread_local Scratch scratch;
    scratch.reset();
    const size_t first = block * kAskedPerBlock, count = std::min(kAskedPerBlock, Q - first);
    const Tokens asked =
        embed(params, question, std::span(question.asked).subspan(first, count), false, scratch);
    transformer_.answer(params, memory, count, asked.h, scratch);
    const Decoded decoded = decode(params, question, first, count, asked.h, scratch);
    const size_t R = count * E;
    float* const probabilities = scratch.take(R * config_.bars);
    float* const copies = scratch.take(R * kCopyValues);
    head_.distributions(params, {R, decoded.hidden, decoded.centers}, probabilities, copies);
    take({first * E, R, probabilities, copies, decoded.centers});
  });
}

}  // namespace cmbo::network
