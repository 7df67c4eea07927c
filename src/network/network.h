// SPDX-License-Identifier: Apache-2.0
//
// A network that extrapolates learning curves: the architecture without weights. Weights are a flat
// arena laid out by table(), immutable while they are shared; scratch belongs to the caller.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "base/thread_pool.h"
#include "network/bar_head.h"
#include "network/bars.h"
#include "network/config.h"
#include "network/parameter_table.h"
#include "network/question.h"
#include "network/scratch.h"

namespace cmbo::network {

// Distributions of a block of answers, in the order of the question: answers `first` to
// `first + count - 1`. Valid during the call that gets it.
struct AnswerBlock {
  size_t first;
  size_t count;
  const float* probabilities;  // [count][bars]
  const float* copies;         // [count][kCopyValues] of the copy component (bar_head.h)
  const float* centers;        // [count]: its center

  BarDistribution distribution(const Bars& bars, size_t i) const {
    const float* const copy = copies + i * kCopyValues;
    return {&bars,
            {probabilities + i * bars.count(), bars.count()},
            copy[0],
            {centers[i], copy[1], copy[2], copy[3]}};
  }
};

// Immutable; all methods are thread-safe, each thread with its own Scratch.
class Network {
 public:
  virtual ~Network() = default;

  const NetworkConfig& config() const { return config_; }
  const ParameterTable& table() const { return table_; }

  // The sum of weight times negative log density over all answers; adds its gradient to `grads`,
  // an arena like `params`. `seed` draws the dropout. Resets the scratch.
  virtual double loss(const float* params, const Bars& bars, const Question& question,
                      const Targets& targets, uint64_t seed, float* grads,
                      Scratch& scratch) const = 0;

  // Calls `take` for every block of answers, from the threads of `pool`, in no order. An answer
  // does not depend on the other asked configurations, nor on threads or blocks.
  virtual void answer(const float* params, const Question& question, ThreadPool& pool,
                      const std::function<void(const AnswerBlock&)>& take) const = 0;

 protected:
  explicit Network(const NetworkConfig& config) : config_(config) {}

  NetworkConfig config_;
  ParameterTable table_;
};

// `config` must have passed check().
std::unique_ptr<Network> make_network(const NetworkConfig& config);

}  // namespace cmbo::network
