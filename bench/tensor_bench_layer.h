// SPDX-License-Identifier: Apache-2.0
//
// A post-norm transformer layer and a bar head over the kernels of src/tensor, for tensor_bench
// alone: the real ones are in src/network. Feed-forward width is 2 d; gradients go nowhere.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "base/random.h"
#include "tensor/adamw.h"
#include "tensor/attention.h"
#include "tensor/cross_entropy.h"
#include "tensor/dropout.h"
#include "tensor/elementwise.h"
#include "tensor/gemm.h"
#include "tensor/layer_norm.h"
#include "tensor/linear.h"

namespace cmbo::tensor {

using Floats = std::vector<float>;

inline Floats random_floats(size_t n, double scale) {
  Random random(n);
  Floats x(n);
  for (float& v : x) v = static_cast<float>(scale * random.normal());
  return x;
}

struct LayerSizes {
  size_t context, queries, width, heads;
  size_t rows() const { return context + queries; }
};

// One linear layer with its arrays.
struct LinearArrays {
  LinearArrays(LinearShape shape)
      : s(shape),
        W(random_floats(s.N * s.K, 1.0 / static_cast<double>(s.K))),
        b(s.N),
        dW(s.N * s.K),
        db(s.N),
        y(s.R * s.N),
        dy(random_floats(s.R * s.N, 1.0)) {}

  void forward(const Floats& x) { linear_forward(s, x.data(), {W.data(), b.data()}, y.data()); }
  void backward(const Floats& x, float* dx, bool add_dx = false) {
    linear_backward(s, {x.data(), W.data()}, dy.data(),
                    {.dW = dW.data(), .db = db.data(), .dx = dx, .add_dx = add_dx});
  }
  // Forward and backward as bare products.
  void products(const Floats& x, float* dx) {
    gemm_nt({.M = s.R, .N = s.N, .K = s.K}, x.data(), W.data(), y.data());
    gemm_nn({.M = s.R, .N = s.K, .K = s.N}, dy.data(), W.data(), dx);
    gemm_tn({.M = s.N, .N = s.K, .K = s.R}, dy.data(), x.data(), dW.data());
  }
  double flops() const { return 6.0 * static_cast<double>(s.R * s.N * s.K); }

  LinearShape s;
  Floats W, b, dW, db, y, dy;
};

struct NormArrays {
  NormArrays(Rows rows)
      : s(rows),
        gamma(s.N, 1.0F),
        beta(s.N),
        dgamma(s.N),
        dbeta(s.N),
        stats(2 * s.R),
        y(s.size()) {}

  void forward(const Floats& x) {
    layer_norm_forward(s, x.data(), {gamma.data(), beta.data()}, y.data(), stats.data());
  }
  void backward(const Floats& x, const Floats& dy, Floats& dx) {
    layer_norm_backward(s, {x.data(), stats.data(), gamma.data()}, dy.data(), dx.data(),
                        {dgamma.data(), dbeta.data()});
  }

  Rows s;
  Floats gamma, beta, dgamma, dbeta, stats, y;
};

class Layer {
 public:
  explicit Layer(LayerSizes sizes)
      : z_(sizes),
        x_(random_floats(z_.rows() * z_.width, 1.0)),
        dx_(x_.size()),
        dtop_(random_floats(x_.size(), 1.0)),
        qkv_({z_.rows(), z_.width, 3 * z_.width}),
        out_({z_.rows(), z_.width, z_.width}),
        up_({z_.rows(), z_.width, 2 * z_.width}),
        down_({z_.rows(), 2 * z_.width, z_.width}),
        norm1_({z_.rows(), z_.width}),
        norm2_({z_.rows(), z_.width}),
        attended_(x_.size()),
        dattended_(x_.size()),
        stats_(z_.rows() * z_.heads * 2),
        activated_(2 * x_.size()),
        dactivated_(2 * x_.size()),
        sum1_(x_.size()),
        sum2_(x_.size()),
        scratch_(attention_backward_scratch(shape(z_.rows()))) {}

  const LayerSizes& sizes() const { return z_; }
  const Floats& output() const { return norm2_.y; }

  void forward() {
    qkv_.forward(x_);
    attention_forward();
    out_.forward(attended_);
    residual_add(x_.size(), x_.data(), out_.y.data(), sum1_.data());
    norm1_.forward(sum1_);
    linear_gelu_forward(up_.s, norm1_.y.data(), {up_.W.data(), up_.b.data()}, up_.y.data(),
                        activated_.data());
    down_.forward(activated_);
    residual_add(x_.size(), norm1_.y.data(), down_.y.data(), sum2_.data());
    norm2_.forward(sum2_);
  }

  void backward() {
    norm2_.backward(sum2_, dtop_, down_.dy);
    down_.backward(activated_, dactivated_.data());
    gelu_backward(activated_.size(), up_.y.data(), dactivated_.data(), up_.dy.data());
    dx_ = down_.dy;
    up_.backward(norm1_.y, dx_.data(), true);
    norm1_.backward(sum1_, dx_, out_.dy);
    out_.backward(attended_, dattended_.data());
    attention_backward();
    dx_ = out_.dy;
    qkv_.backward(x_, dx_.data(), true);
  }

  // Context rows see the context, queries the context and themselves.
  void attention_forward() {
    tensor::attention_forward(shape(z_.context), inputs(0), {attended_.data(), stats_.data()},
                              scratch_);
    const size_t first = z_.context;
    tensor::attention_forward(
        shape(z_.queries), inputs(first),
        {attended_.data() + first * z_.width, stats_.data() + first * z_.heads * 2}, scratch_);
  }

  void attention_backward() {
    std::fill_n(qkv_.dy.begin(), z_.context * 3 * z_.width, 0.0F);
    for (const size_t first : {size_t{0}, z_.context}) {
      const size_t d = z_.width;
      float* const dq = qkv_.dy.data() + first * 3 * d;
      tensor::attention_backward(
          shape(first == 0 ? z_.context : z_.queries), inputs(first),
          {attended_.data() + first * d, stats_.data() + first * z_.heads * 2,
           dattended_.data() + first * d},
          {.dq = dq,
           .dk = qkv_.dy.data() + d,
           .dv = qkv_.dy.data() + 2 * d,
           .dself_k = first == 0 ? nullptr : dq + d,
           .dself_v = first == 0 ? nullptr : dq + 2 * d},
          scratch_);
    }
  }

  void products() {
    qkv_.products(x_, dx_.data());
    out_.products(attended_, dx_.data());
    up_.products(norm1_.y, dx_.data());
    down_.products(activated_, dactivated_.data());
  }

  double product_flops() const { return qkv_.flops() + out_.flops() + up_.flops() + down_.flops(); }
  // Of the forward pass; the backward pass has twice as many.
  double attention_flops() const {
    return 4.0 * static_cast<double>(z_.rows() * z_.context * z_.width);
  }
  double flops() const { return product_flops() + 3 * attention_flops(); }

 private:
  AttentionShape shape(size_t rows) const {
    return {rows, z_.context, z_.heads, z_.width / z_.heads, 3 * z_.width};
  }
  AttentionInputs inputs(size_t first) const {
    const size_t d = z_.width;
    const float* const q = qkv_.y.data() + first * 3 * d;
    return {.q = q,
            .k = qkv_.y.data() + d,
            .v = qkv_.y.data() + 2 * d,
            .self_k = first == 0 ? nullptr : q + d,
            .self_v = first == 0 ? nullptr : q + 2 * d};
  }

  LayerSizes z_;
  Floats x_, dx_, dtop_;
  LinearArrays qkv_, out_, up_, down_;
  NormArrays norm1_, norm2_;
  Floats attended_, dattended_, stats_, activated_, dactivated_, sum1_, sum2_, scratch_;
};

// d -> 2 d, GELU, -> bars, cross-entropy; for the queries alone, by blocks of rows.
class Head {
 public:
  Head(const LayerSizes& sizes, size_t bars)
      : z_(sizes),
        up_({kBlock, z_.width, 2 * z_.width}),
        bars_({kBlock, 2 * z_.width, bars}),
        activated_(kBlock * 2 * z_.width),
        dactivated_(activated_.size()),
        dx_(kBlock * z_.width),
        losses_(kBlock),
        weights_(kBlock, 1.0F),
        targets_(kBlock) {}

  void forward_backward(const Floats& x) {
    for (size_t first = 0; first < z_.queries; first += kBlock) {
      block(x.data() + (z_.context + first) * z_.width);
    }
  }

  // The loss of all queries, on whatever logits are there.
  void loss() {
    for (size_t first = 0; first < z_.queries; first += kBlock) block_loss();
  }

  double flops() const {
    return (up_.flops() + bars_.flops()) * static_cast<double>(z_.queries) / kBlock;
  }

 private:
  static constexpr size_t kBlock = 256;

  void block(const float* x) {
    linear_gelu_forward(up_.s, x, {up_.W.data(), up_.b.data()}, up_.y.data(), activated_.data());
    bars_.forward(activated_);
    block_loss();
    bars_.backward(activated_, dactivated_.data());
    gelu_backward(activated_.size(), up_.y.data(), dactivated_.data(), up_.dy.data());
    linear_backward(up_.s, {x, up_.W.data()}, up_.dy.data(),
                    {.dW = up_.dW.data(), .db = up_.db.data(), .dx = dx_.data()});
  }

  void block_loss() {
    const Rows s = {kBlock, bars_.s.N};
    softmax_cross_entropy_forward(s, bars_.y.data(), targets_.data(), losses_.data(),
                                  bars_.dy.data());
    softmax_cross_entropy_backward(s, bars_.dy.data(), targets_.data(), weights_.data(),
                                   bars_.dy.data());
  }

  LayerSizes z_;
  LinearArrays up_, bars_;
  Floats activated_, dactivated_, dx_, losses_, weights_;
  std::vector<uint32_t> targets_;
};

// Arrays for the kernels that treat every element alike.
struct Elementwise {
  explicit Elementwise(const LayerSizes& sizes)
      : rows{sizes.rows(), sizes.width},
        n(rows.size()),
        x(random_floats(n, 1.0)),
        y(n),
        z(random_floats(n, 1.0)),
        w(n),
        gamma(rows.N, 1.0F),
        beta(rows.N),
        dgamma(rows.N),
        dbeta(rows.N),
        stats(2 * rows.R, 1.0F) {}

  Rows rows;
  size_t n;
  Floats x, y, z, w, gamma, beta, dgamma, dbeta, stats;
};

}  // namespace cmbo::tensor
