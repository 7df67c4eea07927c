// SPDX-License-Identifier: Apache-2.0
#include "gp/feature_network.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "tensor/linear.h"

namespace cmbo::gp {

namespace {

constexpr size_t kTaps = 3;

void activate(float slope, std::span<const float> pre, std::span<float> y) {
  for (size_t i = 0; i < pre.size(); ++i) y[i] = pre[i] > 0.0F ? pre[i] : slope * pre[i];
}

void activate_backward(float slope, std::span<const float> pre, std::span<float> dy) {
  for (size_t i = 0; i < pre.size(); ++i) dy[i] = pre[i] > 0.0F ? dy[i] : slope * dy[i];
}

void draw_uniform(Random& random, size_t fan_in, std::span<float> out) {
  const double limit = 1.0 / std::sqrt(static_cast<double>(fan_in));
  for (float& value : out) value = static_cast<float>(random.uniform(-limit, limit));
}

}  // namespace

FeatureNetwork::FeatureNetwork(FeatureShape shape) : shape_(std::move(shape)) {
  CHECK(!shape_.widths.empty(), "a network has a layer");
  CHECK(shape_.curve == 0 || shape_.curve >= kTaps, "curves shorter than the filter");
  size_t inputs = shape_.inputs;
  for (size_t i = 0; i < shape_.widths.size(); ++i) {
    if (i + 1 == shape_.widths.size() && shape_.curve > 0) inputs += shape_.channels;
    const size_t outputs = shape_.widths[i];
    layers_.push_back({inputs, outputs, count_, count_ + inputs * outputs});
    count_ += (inputs + 1) * outputs;
    inputs = outputs;
  }
  if (shape_.curve == 0) return;
  curve_weights_ = count_;
  curve_biases_ = count_ + shape_.channels * kTaps;
  count_ = curve_biases_ + shape_.channels;
}

void FeatureNetwork::initialize(Random& random, std::span<float> parameters) const {
  CHECK(parameters.size() == count_, "sizes differ");
  for (const Layer& layer : layers_) {
    draw_uniform(random, layer.inputs,
                 parameters.subspan(layer.weights, (layer.inputs + 1) * layer.outputs));
  }
  if (shape_.curve > 0) draw_uniform(random, kTaps, parameters.subspan(curve_weights_));
}

// Writes c into the last columns of the last layer's input.
void FeatureNetwork::look_at_curves(std::span<const float> parameters, std::span<const float> x,
                                    FeatureTape& tape) const {
  const size_t channels = shape_.channels, width = layers_.back().inputs;
  tape.where.resize(tape.rows * channels);
  for (size_t r = 0; r < tape.rows; ++r) {
    const float* const curve = x.data() + r * shape_.row() + shape_.inputs;
    for (size_t k = 0; k < channels; ++k) {
      const float* const v = parameters.data() + curve_weights_ + k * kTaps;
      float best = -INFINITY;
      uint32_t where = 0;
      for (uint32_t t = 0; t + kTaps <= shape_.curve; ++t) {
        const float value = v[0] * curve[t] + v[1] * curve[t + 1] + v[2] * curve[t + 2];
        if (value > best) where = t;
        best = std::max(best, value);
      }
      tape.where[r * channels + k] = where;
      tape.in.back()[r * width + width - channels + k] = best + parameters[curve_biases_ + k];
    }
  }
}

void FeatureNetwork::forward(std::span<const float> parameters, std::span<const float> x,
                             FeatureTape& tape, std::span<float> y) const {
  CHECK(parameters.size() == count_ && x.size() % shape_.row() == 0, "sizes differ");
  tape.rows = x.size() / shape_.row();
  CHECK(y.size() == tape.rows * shape_.features(), "sizes differ");
  tape.in.resize(layers_.size());
  tape.pre.resize(layers_.size());
  for (size_t i = 0; i < layers_.size(); ++i) {
    tape.in[i].resize(tape.rows * layers_[i].inputs);
    tape.pre[i].resize(tape.rows * layers_[i].outputs);
  }
  for (size_t r = 0; r < tape.rows; ++r) {
    std::copy_n(x.data() + r * shape_.row(), shape_.inputs,
                tape.in[0].data() + r * layers_[0].inputs);
  }
  if (shape_.curve > 0) look_at_curves(parameters, x, tape);
  std::vector<float> activated;
  for (size_t i = 0; i < layers_.size(); ++i) {
    const Layer& layer = layers_[i];
    tensor::linear_forward({tape.rows, layer.inputs, layer.outputs}, tape.in[i].data(),
                           {&parameters[layer.weights], &parameters[layer.biases]},
                           tape.pre[i].data());
    if (i + 1 == layers_.size()) break;
    activated.resize(tape.pre[i].size());
    activate(shape_.slope, tape.pre[i], activated);
    for (size_t r = 0; r < tape.rows; ++r) {
      std::copy_n(activated.data() + r * layer.outputs, layer.outputs,
                  tape.in[i + 1].data() + r * layers_[i + 1].inputs);
    }
  }
  activate(shape_.activate_last ? shape_.slope : 1.0F, tape.pre.back(), y);
}

void FeatureNetwork::curves_backward(std::span<const float> x, const FeatureTape& tape,
                                     std::span<const float> d_in, std::span<float> gradient) const {
  const size_t channels = shape_.channels, width = layers_.back().inputs;
  std::fill(gradient.begin() + static_cast<std::ptrdiff_t>(curve_weights_), gradient.end(), 0.0F);
  for (size_t r = 0; r < tape.rows; ++r) {
    for (size_t k = 0; k < channels; ++k) {
      const float d = d_in[r * width + width - channels + k];
      const float* const curve =
          x.data() + r * shape_.row() + shape_.inputs + tape.where[r * channels + k];
      for (size_t s = 0; s < kTaps; ++s) gradient[curve_weights_ + k * kTaps + s] += d * curve[s];
      gradient[curve_biases_ + k] += d;
    }
  }
}

void FeatureNetwork::backward(std::span<const float> parameters, std::span<const float> x,
                              FeatureTape& tape, std::span<float> dy,
                              std::span<float> gradient) const {
  CHECK(gradient.size() == count_ && dy.size() == tape.pre.back().size(), "sizes differ");
  if (shape_.activate_last) activate_backward(shape_.slope, tape.pre.back(), dy);
  std::vector<float> d_pre(dy.begin(), dy.end()), d_in;
  for (size_t i = layers_.size(); i-- > 0;) {
    const Layer& layer = layers_[i];
    d_in.resize(tape.in[i].size());
    tensor::linear_backward({tape.rows, layer.inputs, layer.outputs},
                            {tape.in[i].data(), &parameters[layer.weights]}, d_pre.data(),
                            {.dW = &gradient[layer.weights],
                             .db = &gradient[layer.biases],
                             .dx = i > 0 || shape_.curve > 0 ? d_in.data() : nullptr,
                             .add_dW = false});
    if (i + 1 == layers_.size() && shape_.curve > 0) curves_backward(x, tape, d_in, gradient);
    if (i == 0) break;
    const size_t before = layers_[i - 1].outputs;
    d_pre.resize(tape.rows * before);
    for (size_t r = 0; r < tape.rows; ++r) {
      std::copy_n(d_in.data() + r * layer.inputs, before, d_pre.data() + r * before);
    }
    activate_backward(shape_.slope, tape.pre[i - 1], d_pre);
  }
}

}  // namespace cmbo::gp
