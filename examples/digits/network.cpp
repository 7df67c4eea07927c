// SPDX-License-Identifier: Apache-2.0
#include "digits/network.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "tensor/cross_entropy.h"
#include "tensor/dropout.h"
#include "tensor/elementwise.h"
#include "tensor/linear.h"

namespace cmbo::digits {

namespace {

// The mask of one layer in one step.
tensor::Dropout mask_of(const DropoutOptions& dropout, size_t layer) {
  return {.seed = mix_bits(dropout.seed + layer), .probability = dropout.probability};
}

}  // namespace

Network::Network(const NetworkShape& shape) : shape_(shape) {
  CHECK(shape.depth > 0 && shape.width > 0 && shape.classes > 1, "no such network");
  for (size_t i = 0; i <= shape.depth; ++i) {
    const size_t inputs = i == 0 ? shape.features : shape.width;
    const size_t outputs = i == shape.depth ? shape.classes : shape.width;
    layers_.push_back({inputs, outputs, weight_count_, weight_count_ + inputs * outputs});
    weight_count_ += inputs * outputs + outputs;
  }
}

void Network::initialize(Random& random, std::span<float> weights) const {
  std::fill(weights.begin(), weights.end(), 0.0F);
  for (const Layer& layer : layers_) {
    const double scale = std::sqrt(2.0 / static_cast<double>(layer.inputs));
    for (float& weight : weights.subspan(layer.W, layer.inputs * layer.outputs)) {
      weight = static_cast<float>(scale * random.normal());
    }
  }
}

void Network::forward(std::span<const float> weights, const Batch& batch,
                      const DropoutOptions& dropout, Workspace& workspace) const {
  const size_t R = batch.rows();
  workspace.pre.resize(shape_.depth);
  workspace.hidden.resize(shape_.depth);
  const float* input = batch.x.data();
  for (size_t i = 0; i < shape_.depth; ++i) {
    const Layer& layer = layers_[i];
    workspace.pre[i].resize(R * shape_.width);
    workspace.hidden[i].resize(R * shape_.width);
    float* const output = workspace.hidden[i].data();
    tensor::linear_gelu_forward({R, layer.inputs, layer.outputs}, input,
                                {&weights[layer.W], &weights[layer.b]}, workspace.pre[i].data(),
                                output);
    if (dropout.probability > 0.0F) {
      tensor::dropout_forward(mask_of(dropout, i), R * shape_.width, output, output);
    }
    input = output;
  }
  const Layer& last = layers_.back();
  workspace.logits.resize(R * shape_.classes);
  workspace.losses.resize(R);
  tensor::linear_forward({R, last.inputs, last.outputs}, input,
                         {&weights[last.W], &weights[last.b]}, workspace.logits.data());
  tensor::softmax_cross_entropy_forward({R, shape_.classes}, workspace.logits.data(),
                                        batch.labels.data(), workspace.losses.data(), nullptr);
}

void Network::backward(std::span<const float> weights, const Batch& batch,
                       const DropoutOptions& dropout, Workspace& workspace,
                       std::span<float> gradient) const {
  const size_t R = batch.rows();
  workspace.row_weights.assign(R, 1.0F / static_cast<float>(R));
  tensor::softmax_rows({R, shape_.classes}, workspace.logits.data(), workspace.logits.data());
  tensor::softmax_cross_entropy_backward({R, shape_.classes}, workspace.logits.data(),
                                         batch.labels.data(), workspace.row_weights.data(),
                                         workspace.logits.data());
  const float* dy = workspace.logits.data();
  for (size_t i = layers_.size(); i-- > 0;) {
    const Layer& layer = layers_[i];
    const float* const input = i == 0 ? batch.x.data() : workspace.hidden[i - 1].data();
    workspace.next.resize(R * shape_.width);
    tensor::linear_backward({R, layer.inputs, layer.outputs}, {input, &weights[layer.W]}, dy,
                            {.dW = &gradient[layer.W],
                             .db = &gradient[layer.b],
                             .dx = i == 0 ? nullptr : workspace.next.data(),
                             .add_dW = false});
    if (i == 0) break;
    hidden_backward(i - 1, dropout, workspace);
    dy = workspace.gradient.data();
  }
}

// From the gradient of a hidden layer's output, in workspace.next, to that of its linear part.
void Network::hidden_backward(size_t layer, const DropoutOptions& dropout,
                              Workspace& workspace) const {
  std::vector<float>& d = workspace.next;
  if (dropout.probability > 0.0F) {
    tensor::dropout_backward(mask_of(dropout, layer), d.size(), d.data(), d.data());
  }
  tensor::gelu_backward(d.size(), workspace.pre[layer].data(), d.data(), d.data());
  std::swap(workspace.gradient, workspace.next);
}

}  // namespace cmbo::digits
