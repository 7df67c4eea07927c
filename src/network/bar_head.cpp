// SPDX-License-Identifier: Apache-2.0
#include "network/bar_head.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/check.h"
#include "tensor/cross_entropy.h"
#include "tensor/linear.h"

namespace cmbo::network {

namespace {

constexpr const char* kBarWeights = "head.bars.weight";
constexpr const char* kBarBiases = "head.bars.bias";
constexpr float kInitialGate = -2.0F;  // before the sigmoid: bars come first

float sigmoid(float x) {
  return 1.0F / (1.0F + std::exp(-x));
}

float scale_of(float raw) {
  const float low = std::log(kMinScale), high = std::log(kMaxScale);
  return std::exp(low + (high - low) * sigmoid(raw));
}

// d log s / d raw
float log_scale_slope(float raw) {
  const float share = sigmoid(raw);
  return (std::log(kMaxScale) - std::log(kMinScale)) * share * (1.0F - share);
}

// -log of (1 - g) e^-bar_loss + g e^copy, and how much of the density each part has.
struct Mixture {
  float loss;
  float copy_share;
};

Mixture mix(float gate_raw, float bar_log_density, float copy_log_density) {
  const float log_gate = -std::log1p(std::exp(-gate_raw));
  const float log_rest = -gate_raw + log_gate;
  const float bar = log_rest + bar_log_density, copy = log_gate + copy_log_density;
  const float top = std::max(bar, copy);
  const float total = top + std::log(std::exp(bar - top) + std::exp(copy - top));
  return {-total, std::exp(copy - total)};
}

Laplace copy_of(float center, const float* raw) {
  return {center, sigmoid(raw[1]), scale_of(raw[2]), scale_of(raw[3])};
}

// raw becomes the gradient of weight * loss by it.
void copy_backward(const Laplace& copy, float y, float weight, float copy_share, float* raw) {
  const bool below = copy.is_below(y);
  const float by_log_scale = -weight * copy_share * copy.log_density_by_log_scale(y);
  raw[0] = weight * (sigmoid(raw[0]) - copy_share);
  raw[1] =
      weight * copy_share * (static_cast<float>(copy.probability_below()) - (below ? 1.0F : 0.0F));
  raw[2] = below ? by_log_scale * log_scale_slope(raw[2]) : 0.0F;
  raw[3] = below ? 0.0F : by_log_scale * log_scale_slope(raw[3]);
}

std::span<float> part(const ParameterTable& table, const char* name, std::span<float> arena) {
  const auto specs = table.specs();
  const auto found = std::find_if(specs.begin(), specs.end(),
                                  [&](const ParameterSpec& spec) { return spec.name == name; });
  CHECK(found != specs.end(), "no such parameter");
  return arena.subspan(found->offset, found->size);
}

}  // namespace

BarHead::BarHead(const NetworkConfig& config, ParameterTable& table) : config_(config) {
  const size_t K = config.bars, W = config.head_width;
  const float deviation = 0.1F / std::sqrt(static_cast<float>(W));
  bars_w_ = table.add(kBarWeights, {K, W}, 0.0F, deviation);
  bars_b_ = table.add(kBarBiases, {K}, 0.0F, 0.0F);
  if (!config.copy) return;
  copy_w_ = table.add("head.copy.weight", {kCopyValues, W}, 0.0F, deviation);
  copy_b_ = table.add("head.copy.bias", {kCopyValues}, kInitialGate, 0.0F);
}

double BarHead::loss(const float* params, const Answers& answers, const Truth& truth,
                     float* dhidden, float* grads, Scratch& scratch) const {
  const size_t R = answers.R, K = config_.bars, W = config_.head_width;
  const tensor::LinearShape to_bars{R, W, K}, to_copy{R, W, kCopyValues};
  float* const logits = scratch.take(R * K);
  float* const losses = scratch.take(R);
  float* const bar_weights = scratch.take(R);
  std::vector<uint32_t> targets(R);
  for (size_t r = 0; r < R; ++r) {
    targets[r] = static_cast<uint32_t>(truth.bars.index_of(truth.values[r]));
  }
  tensor::linear_forward(to_bars, answers.hidden, {params + bars_w_, params + bars_b_}, logits);
  tensor::softmax_cross_entropy_forward({R, K}, logits, targets.data(), losses, logits);

  float* const copies = config_.copy ? scratch.take(R * kCopyValues) : nullptr;
  if (config_.copy) {
    tensor::linear_forward(to_copy, answers.hidden, {params + copy_w_, params + copy_b_}, copies);
  }
  double sum = 0.0;
  for (size_t r = 0; r < R; ++r) {
    const float weight = truth.weights[r];
    const float bar_log_density = -losses[r] - truth.bars.log_width(targets[r]);
    if (!config_.copy) {
      sum += static_cast<double>(weight * -bar_log_density);
      bar_weights[r] = weight;
      continue;
    }
    float* const raw = copies + kCopyValues * r;
    const Laplace copy = copy_of(answers.centers[r], raw);
    const Mixture m = mix(raw[0], bar_log_density, copy.log_density(truth.values[r]));
    sum += static_cast<double>(weight * m.loss);
    bar_weights[r] = weight * (1.0F - m.copy_share);
    copy_backward(copy, truth.values[r], weight, m.copy_share, raw);
  }
  tensor::softmax_cross_entropy_backward({R, K}, logits, targets.data(), bar_weights, logits);
  tensor::linear_backward(to_bars, {answers.hidden, params + bars_w_}, logits,
                          {.dW = grads + bars_w_, .db = grads + bars_b_, .dx = dhidden});
  if (config_.copy) {
    tensor::linear_backward(
        to_copy, {answers.hidden, params + copy_w_}, copies,
        {.dW = grads + copy_w_, .db = grads + copy_b_, .dx = dhidden, .add_dx = true});
  }
  return sum;
}

void BarHead::distributions(const float* params, const Answers& answers, float* probabilities,
                            float* copies) const {
  const size_t R = answers.R, K = config_.bars, W = config_.head_width;
  tensor::linear_forward({R, W, K}, answers.hidden, {params + bars_w_, params + bars_b_},
                         probabilities);
  tensor::softmax_rows({R, K}, probabilities, probabilities);
  if (!config_.copy) {
    std::fill_n(copies, kCopyValues * R, 0.0F);
    return;
  }
  tensor::linear_forward({R, W, kCopyValues}, answers.hidden, {params + copy_w_, params + copy_b_},
                         copies);
  for (size_t r = 0; r < R; ++r) {
    float* const raw = copies + kCopyValues * r;
    const Laplace copy = copy_of(answers.centers[r], raw);
    raw[0] = sigmoid(raw[0]);
    raw[1] = copy.share_below;
    raw[2] = copy.scale_below;
    raw[3] = copy.scale_above;
  }
}

void move_bars(const ParameterTable& table, const Bars& from, const Bars& to,
               std::span<float> weights) {
  const std::span<float> rows = part(table, kBarWeights, weights);
  const std::span<float> biases = part(table, kBarBiases, weights);
  const size_t K = biases.size(), W = rows.size() / K;
  CHECK(from.count() == K && to.count() == K, "as many bars as the head has");
  const std::vector<float> old_rows(rows.begin(), rows.end());
  const std::vector<float> old_biases(biases.begin(), biases.end());
  for (size_t k = 0; k < K; ++k) {
    const size_t old = from.index_of(0.5F * (to.borders()[k] + to.borders()[k + 1]));
    std::copy_n(&old_rows[old * W], W, &rows[k * W]);
    biases[k] = old_biases[old] + to.log_width(k) - from.log_width(old);
  }
}

}  // namespace cmbo::network
