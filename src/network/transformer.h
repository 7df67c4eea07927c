// SPDX-License-Identifier: Apache-2.0
//
// The blocks that both networks share: layers of attention and feed-forward over context tokens,
// which see each other, and query tokens, which see the context and themselves.
//
//   attention, then feed-forward, each as a residual step f with a layer norm LN:
//   pre-norm   y = x + f(LN(x)), and one LN more after the last layer
//   post-norm  y = LN(x + f(x)), as in the paper
//
// The output weights of both f start at zero, so that a fresh network passes its tokens through.
// Letters: R rows = C context, then Q queries; d width; L layers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "network/config.h"
#include "network/parameter_table.h"
#include "network/scratch.h"
#include "tensor/dropout.h"

namespace cmbo::network {

struct TokenCounts {
  size_t context;  // C
  size_t queries;  // Q
  size_t rows() const { return context + queries; }
};

// Immutable; the methods are thread-safe with a Scratch for each thread. `params` and `grads` are
// whole arenas of the table that the constructor added to.
class Transformer {
 public:
  Transformer(const NetworkConfig& config, ParameterTable& table);

  // What backward() needs of one residual step; pointers into the Scratch.
  struct Step {
    const float* norm_in;    // [R][d] input of LN
    const float* stats;      // [R][2] of LN
    const float* f_in;       // [R][d] input of f
    const float* inner;      // attention: qkv [R][3d]; feed-forward: before GELU [R][hidden]
    const float* middle;     // attention: its result [R][d]; feed-forward: after GELU [R][hidden]
    const float* att_stats;  // attention: [R][heads][2]
  };
  struct Saved {
    std::vector<Step> steps;  // two for each layer
    const float* last_in;     // [R][d] input of the last LN
    const float* last_stats;  // [R][2]
    uint64_t seed;            // of dropout
  };

  // h [R][d] -> the result [R][d] in scratch. `seed` draws the dropout, 0 = none; `saved` is set.
  float* forward(const float* params, TokenCounts n, const float* h, uint64_t seed, Saved& saved,
                 Scratch& scratch) const;
  // dh [R][d], the gradient of the result, becomes that of h; adds to grads.
  void backward(const float* params, TokenCounts n, const Saved& saved, float* dh, float* grads,
                Scratch& scratch) const;

  // For forecasting: keys and values of the context in every layer, for any number of queries.
  struct Memory {
    size_t context = 0;
    std::vector<float> qkv;  // [L][C][3d]
  };
  // h [C][d] is used up.
  void read_context(const float* params, size_t context, float* h, Memory& memory,
                    Scratch& scratch) const;
  // h [queries][d] becomes the result. A query's result does not depend on the others.
  void answer(const float* params, const Memory& memory, size_t queries, float* h,
              Scratch& scratch) const;

 private:
  struct StepParameters {
    size_t gamma, beta;   // of LN
    size_t in_w, in_b;    // attention: [3d][d]; feed-forward: [hidden][d]
    size_t out_w, out_b;  // attention: [d][d]; feed-forward: [d][hidden]
  };
  // Rows of one pass, and where the keys and values of their context are.
  struct Layout {
    TokenCounts n;
    const float* context_qkv;  // [key_count][3d]; null = the first rows of the pass itself
    size_t key_count;
  };

  static bool is_attention(size_t step) { return step % 2 == 0; }
  size_t inner_width(size_t step) const;
  size_t middle_width(size_t step) const;
  Step run_step(const float* params, size_t step, const Layout& layout, const float* x, float* y,
                uint64_t seed, Scratch& scratch) const;
  void run_f(const float* params, size_t step, const Layout& layout, Step& s, float* z,
             Scratch& scratch) const;
  void attend(const Layout& layout, const float* qkv, float* out, float* stats,
              Scratch& scratch) const;
  void step_backward(const float* params, size_t step, TokenCounts n, const Saved& saved, float* dh,
                     float* grads, Scratch& scratch) const;
  void attend_backward(TokenCounts n, const Step& s, const float* dout, float* dqkv,
                       Scratch& scratch) const;
  tensor::Dropout dropout(uint64_t seed, size_t step) const;

  NetworkConfig config_;
  std::vector<StepParameters> steps_;      // attention, feed-forward, attention, ...
  size_t last_gamma_ = 0, last_beta_ = 0;  // pre-norm only
};

}  // namespace cmbo::network
