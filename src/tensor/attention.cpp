// SPDX-License-Identifier: Apache-2.0
#include "tensor/attention.h"

#include "base/check.h"
#include "tensor/kernels.h"

namespace cmbo::tensor {
namespace {

size_t padded(size_t n) {
  return (n + 7) / 8 * 8;
}

void check_inputs(const AttentionShape& shape, const AttentionInputs& inputs) {
  CHECK(shape.stride >= shape.H * shape.D, "rows overlap");
  CHECK((inputs.self_k == nullptr) == (inputs.self_v == nullptr), "self key without self value");
}

}  // namespace

// The sums of what kernel_attention.h and kernel_attention_backward.h take, if all is visible.
size_t attention_forward_scratch(const AttentionShape& s) {
  return s.D * padded(s.C) + s.C * padded(s.D) + kAttentionBlock * (padded(s.C) + padded(s.D));
}

size_t attention_backward_scratch(const AttentionShape& s) {
  return 2 * s.D * padded(s.C) + 3 * s.C * padded(s.D) +
         kAttentionBlock * (2 * padded(s.C) + 3 * padded(s.D));
}

void attention_forward(const AttentionShape& shape, const AttentionInputs& inputs,
                       const AttentionOutputs& outputs, std::span<float> scratch) {
  check_inputs(shape, inputs);
  CHECK(scratch.size() >= attention_forward_scratch(shape), "too little scratch");
  kernels().attention_forward(shape, inputs, outputs, scratch.data());
}

void attention_backward(const AttentionShape& shape, const AttentionInputs& inputs,
                        const AttentionSaved& saved, const AttentionGradients& gradients,
                        std::span<float> scratch) {
  check_inputs(shape, inputs);
  CHECK(scratch.size() >= attention_backward_scratch(shape), "too little scratch");
  CHECK(inputs.self_k == nullptr || (gradients.dself_k != nullptr && gradients.dself_v != nullptr),
        "a self key needs its gradients");
  kernels().attention_backward(shape, inputs, saved, gradients, scratch.data());
}

}  // namespace cmbo::tensor
