// SPDX-License-Identifier: Apache-2.0
#include "network/transformer.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "base/random.h"
#include "tensor/attention.h"
#include "tensor/elementwise.h"
#include "tensor/layer_norm.h"
#include "tensor/linear.h"

namespace cmbo::network {

namespace {

using tensor::AttentionShape;
using tensor::LinearShape;
using tensor::Rows;

float fan_in_deviation(size_t inputs) {
  return 1.0F / std::sqrt(static_cast<float>(inputs));
}

}  // namespace

Transformer::Transformer(const NetworkConfig& config, ParameterTable& table) : config_(config) {
  const size_t d = config.width;
  const auto add_norm = [&](const std::string& name, size_t& gamma, size_t& beta) {
    gamma = table.add(name + ".gamma", {d}, 1.0F, 0.0F);
    beta = table.add(name + ".beta", {d}, 0.0F, 0.0F);
  };
  for (size_t step = 0; step < 2 * config.layers; ++step) {
    const std::string name =
        fmt::format("layer{}.{}", step / 2, is_attention(step) ? "attention" : "feed_forward");
    StepParameters p{};
    add_norm(name + ".norm", p.gamma, p.beta);
    p.in_w = table.add(name + ".in.weight", {inner_width(step), d}, 0.0F, fan_in_deviation(d));
    p.in_b = table.add(name + ".in.bias", {inner_width(step)}, 0.0F, 0.0F);
    p.out_w = table.add(name + ".out.weight", {d, middle_width(step)}, 0.0F, 0.0F);
    p.out_b = table.add(name + ".out.bias", {d}, 0.0F, 0.0F);
    steps_.push_back(p);
  }
  if (config.pre_norm) add_norm("last_norm", last_gamma_, last_beta_);
}

size_t Transformer::inner_width(size_t step) const {
  return is_attention(step) ? 3 * config_.width : config_.hidden();
}

size_t Transformer::middle_width(size_t step) const {
  return is_attention(step) ? config_.width : config_.hidden();
}

tensor::Dropout Transformer::dropout(uint64_t seed, size_t step) const {
  return {.seed = mix_bits(seed + step), .probability = config_.dropout};
}

// The context rows see the context, the others the context and their own key.
void Transformer::attend(const Layout& layout, const float* qkv, float* out, float* stats,
                         Scratch& scratch) const {
  const size_t d = config_.width, H = config_.heads, C = layout.n.context;
  const float* const keys = layout.context_qkv != nullptr ? layout.context_qkv : qkv;
  const auto call = [&](size_t first, size_t count, bool self) {
    if (count == 0) return;
    const AttentionShape shape{count, layout.key_count, H, d / H, 3 * d};
    const float* const rows = qkv + first * 3 * d;
    const size_t floats = tensor::attention_forward_scratch(shape);
    tensor::attention_forward(shape,
                              {.q = rows,
                               .k = keys + d,
                               .v = keys + 2 * d,
                               .self_k = self ? rows + d : nullptr,
                               .self_v = self ? rows + 2 * d : nullptr},
                              {out + first * d, stats + first * H * 2},
                              {scratch.take(floats), floats});
  };
  call(0, C, false);
  call(C, layout.n.queries, true);
}

// z [R][d] = f(s.f_in), filling in what s keeps of f.
void Transformer::run_f(const float* params, size_t step, const Layout& layout, Step& s, float* z,
                        Scratch& scratch) const {
  const StepParameters& p = steps_[step];
  const size_t R = layout.n.rows(), d = config_.width;
  const LinearShape in{R, d, inner_width(step)}, out{R, middle_width(step), d};
  float* const inner = scratch.take(R * in.N);
  float* const middle = scratch.take(R * out.K);
  if (is_attention(step)) {
    float* const stats = scratch.take(R * config_.heads * 2);
    tensor::linear_forward(in, s.f_in, {params + p.in_w, params + p.in_b}, inner);
    attend(layout, inner, middle, stats, scratch);
    s.att_stats = stats;
  } else {
    tensor::linear_gelu_forward(in, s.f_in, {params + p.in_w, params + p.in_b}, inner, middle);
  }
  tensor::linear_forward(out, middle, {params + p.out_w, params + p.out_b}, z);
  s.inner = inner;
  s.middle = middle;
}

// One residual step from x to y [R][d], which may be x.
Transformer::Step Transformer::run_step(const float* params, size_t step, const Layout& layout,
                                        const float* x, float* y, uint64_t seed,
                                        Scratch& scratch) const {
  const StepParameters& p = steps_[step];
  const Rows rows{layout.n.rows(), config_.width};
  const tensor::LayerNormWeights norm{params + p.gamma, params + p.beta};
  float* const stats = scratch.take(2 * rows.R);
  float* const other = scratch.take(rows.size());  // pre-norm: LN(x); post-norm: x + f(x)
  float* const z = config_.pre_norm ? scratch.take(rows.size()) : other;
  Step s{};
  s.stats = stats;
  if (config_.pre_norm) {
    tensor::layer_norm_forward(rows, x, norm, other, stats);
    s.norm_in = x;
    s.f_in = other;
  } else {
    s.norm_in = other;
    s.f_in = x;
  }
  run_f(params, step, layout, s, z, scratch);
  if (config_.dropout > 0 && seed != 0) {
    tensor::dropout_forward(dropout(seed, step), rows.size(), z, z);
  }
  if (config_.pre_norm) {
    tensor::residual_add(rows.size(), x, z, y);
  } else {
    tensor::residual_add(rows.size(), x, z, other);
    tensor::layer_norm_forward(rows, other, norm, y, stats);
  }
  return s;
}

float* Transformer::forward(const float* params, TokenCounts n, const float* h, uint64_t seed,
                            Saved& saved, Scratch& scratch) const {
  const Rows rows{n.rows(), config_.width};
  const Layout layout{n, nullptr, n.context};
  saved.steps.clear();
  saved.seed = seed;
  float* y = nullptr;
  for (size_t step = 0; step < steps_.size(); ++step) {
    y = scratch.take(rows.size());
    saved.steps.push_back(run_step(params, step, layout, h, y, seed, scratch));
    h = y;
  }
  if (!config_.pre_norm) return y;
  float* const result = scratch.take(rows.size());
  float* const stats = scratch.take(2 * rows.R);
  tensor::layer_norm_forward(rows, h, {params + last_gamma_, params + last_beta_}, result, stats);
  saved.last_in = h;
  saved.last_stats = stats;
  return result;
}

void Transformer::attend_backward(TokenCounts n, const Step& s, const float* dout, float* dqkv,
                                  Scratch& scratch) const {
  const size_t d = config_.width, H = config_.heads, C = n.context;
  std::fill_n(dqkv, C * 3 * d, 0.0F);  // keys and values of the context are added to by both calls
  const auto call = [&](size_t first, size_t count, bool self) {
    if (count == 0) return;
    const AttentionShape shape{count, C, H, d / H, 3 * d};
    const float* const rows = s.inner + first * 3 * d;
    float* const drows = dqkv + first * 3 * d;
    const size_t floats = tensor::attention_backward_scratch(shape);
    tensor::attention_backward(
        shape,
        {.q = rows,
         .k = s.inner + d,
         .v = s.inner + 2 * d,
         .self_k = self ? rows + d : nullptr,
         .self_v = self ? rows + 2 * d : nullptr},
        {s.middle + first * d, s.att_stats + first * H * 2, dout + first * d},
        {.dq = drows,
         .dk = dqkv + d,
         .dv = dqkv + 2 * d,
         .dself_k = self ? drows + d : nullptr,
         .dself_v = self ? drows + 2 * d : nullptr},
        {scratch.take(floats), floats});
  };
  call(0, C, false);
  call(C, n.queries, true);
}

void Transformer::step_backward(const float* params, size_t step, TokenCounts n, const Saved& saved,
                                float* dh, float* grads, Scratch& scratch) const {
  const StepParameters& p = steps_[step];
  const Step& s = saved.steps[step];
  const size_t d = config_.width;
  const Rows rows{n.rows(), d};
  const LinearShape in{rows.R, d, inner_width(step)}, out{rows.R, middle_width(step), d};
  float* const dz = scratch.take(rows.size());
  float* const dmiddle = scratch.take(rows.R * out.K);
  float* const dinner = is_attention(step) ? scratch.take(rows.R * in.N) : dmiddle;
  float* const df_in = scratch.take(rows.size());
  const tensor::LayerNormSaved norm{s.norm_in, s.stats, params + p.gamma};
  const tensor::LayerNormGradients dnorm{grads + p.gamma, grads + p.beta};

  // dh becomes the gradient of the residual sum, dz that of f's result.
  if (!config_.pre_norm) tensor::layer_norm_backward(rows, norm, dh, dh, dnorm);
  std::copy_n(dh, rows.size(), dz);
  if (config_.dropout > 0 && saved.seed != 0) {
    tensor::dropout_backward(dropout(saved.seed, step), rows.size(), dz, dz);
  }
  tensor::linear_backward(out, {s.middle, params + p.out_w}, dz,
                          {.dW = grads + p.out_w, .db = grads + p.out_b, .dx = dmiddle});
  if (is_attention(step)) {
    attend_backward(n, s, dmiddle, dinner, scratch);
  } else {
    tensor::gelu_backward(rows.R * in.N, s.inner, dmiddle, dinner);
  }
  tensor::linear_backward(in, {s.f_in, params + p.in_w}, dinner,
                          {.dW = grads + p.in_w, .db = grads + p.in_b, .dx = df_in});
  if (config_.pre_norm) tensor::layer_norm_backward(rows, norm, df_in, df_in, dnorm);
  tensor::residual_add(rows.size(), dh, df_in, dh);
}

void Transformer::backward(const float* params, TokenCounts n, const Saved& saved, float* dh,
                           float* grads, Scratch& scratch) const {
  if (config_.pre_norm) {
    tensor::layer_norm_backward({n.rows(), config_.width},
                                {saved.last_in, saved.last_stats, params + last_gamma_}, dh, dh,
                                {grads + last_gamma_, grads + last_beta_});
  }
  for (size_t step = steps_.size(); step-- > 0;) {
    step_backward(params, step, n, saved, dh, grads, scratch);
  }
}

void Transformer::read_context(const float* params, size_t context, float* h, Memory& memory,
                               Scratch& scratch) const {
  const size_t per_layer = context * 3 * config_.width;
  memory.context = context;
  memory.qkv.resize(config_.layers * per_layer);
  const Layout layout{{context, 0}, nullptr, context};
  for (size_t step = 0; step < steps_.size(); ++step) {
    const Step s = run_step(params, step, layout, h, h, 0, scratch);
    if (!is_attention(step)) continue;
    std::copy_n(s.inner, per_layer, memory.qkv.data() + step / 2 * per_layer);
  }
}

void Transformer::answer(const float* params, const Memory& memory, size_t queries, float* h,
                         Scratch& scratch) const {
  const size_t per_layer = memory.context * 3 * config_.width;
  for (size_t step = 0; step < steps_.size(); ++step) {
    const Layout layout{{0, queries}, memory.qkv.data() + step / 2 * per_layer, memory.context};
    (void)run_step(params, step, layout, h, h, 0, scratch);
  }
  if (!config_.pre_norm) return;
  float* const stats = scratch.take(2 * queries);
  tensor::layer_norm_forward({queries, config_.width}, h,
                             {params + last_gamma_, params + last_beta_}, h, stats);
}

}  // namespace cmbo::network
