// SPDX-License-Identifier: Apache-2.0
//
// The paper's network: one token for each observation, one for each answer.
//
//   context token  W_x x + W_t t + W_y y + b    of every observed point, and of y_0 with x = t = 0
//   query token    W_x x + W_t t + b            of every asked (configuration, epoch)
//   answer = head(GELU(W_h token))
//
// t = epoch / horizon. Without a copy component it sees an asked configuration's own observations
// only if that is part of the context.
#pragma once

#include "network/bar_head.h"
#include "network/network.h"
#include "network/transformer.h"

namespace cmbo::network {

class PointNetwork : public Network {
 public:
  explicit PointNetwork(const NetworkConfig& config);

  double loss(const float* params, const Bars& bars, const Question& question,
              const Targets& targets, uint64_t seed, float* grads, Scratch& scratch) const override;
  void answer(const float* params, const Question& question, ThreadPool& pool,
              const std::function<void(const AnswerBlock&)>& take) const override;

 private:
  size_t token_features() const { return config_.dimensions + 2; }
  size_t context_size(const Question& question) const;
  // Features [context_size][token_features()]: x, t, y.
  void fill_context(const Question& question, float* out) const;
  // The same of the answers first .. first + count - 1, with y = 0.
  void fill_queries(const Question& question, size_t first, size_t count, float* out) const;

  Transformer transformer_;
  BarHead head_;
  size_t embed_w_ = 0, embed_b_ = 0;    // [d][token_features()]: W_x, W_t and W_y side by side
  size_t hidden_w_ = 0, hidden_b_ = 0;  // [head width][d]
};

}  // namespace cmbo::network
