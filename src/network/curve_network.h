// SPDX-License-Identifier: Apache-2.0
//
// One token for each curve; the default network.
//
//   token  = W_row (configuration or hints, last point, best point, length, y_0, ...)
//            + W_pool mean over its points of GELU(W_point (time features, value features))
//   tokens of the context and one for the task go through the transformer, and so does a token for
//   each asked configuration, which carries its own observations
//   answer = head( GELU(W_2 GELU(W_q token + W_t time features)) ), for any number of epochs
//
// Where earlier tasks know a configuration, their hints take its place: a network that sees both
// trusts what it remembers of the configuration, which is less exact.
//
// Letters: N tokens, P observed points, Q asked, E epochs of each, d width, W head width.
#pragma once

#include "network/bar_head.h"
#include "network/network.h"
#include "network/transformer.h"

namespace cmbo::network {

class CurveNetwork : public Network {
 public:
  explicit CurveNetwork(const NetworkConfig& config);

  double loss(const float* params, const Bars& bars, const Question& question,
              const Targets& targets, uint64_t seed, float* grads, Scratch& scratch) const override;
  void answer(const float* params, const Question& question, ThreadPool& pool,
              const std::function<void(const AnswerBlock&)>& take) const override;

 private:
  struct Tokens;
  struct Decoded;

  // Numbers that enter for a point, for a token apart from its configuration, and for a token.
  size_t row_features() const;
  Tokens embed(const float* params, const Question& question, std::span<const uint32_t> rows,
               bool with_task, Scratch& scratch) const;
  void embed_backward(const float* params, const Tokens& tokens, const float* dh, float* grads,
                      Scratch& scratch) const;
  void fill_row_features(const Question& question, uint32_t row, float* out) const;
  void fill_task_features(const Question& question, float* out) const;
  Decoded decode(const float* params, const Question& question, size_t first, size_t count,
                 const float* queries, Scratch& scratch) const;
  void decode_backward(const float* params, size_t count, size_t epochs_each,
                       const Decoded& decoded, const float* queries, const float* dhidden,
                       float* dqueries, float* grads, Scratch& scratch) const;

  Transformer transformer_;
  BarHead head_;
  size_t point_w_ = 0, point_b_ = 0;    // [kPointWidth][features]
  size_t pool_w_ = 0;                   // [d][kPointWidth]
  size_t row_w_ = 0, row_b_ = 0;        // [d][features]
  size_t query_w_ = 0, query_b_ = 0;    // [W][d]
  size_t time_w_ = 0;                   // [W][time features]
  size_t second_w_ = 0, second_b_ = 0;  // [W][W]
};

}  // namespace cmbo::network
