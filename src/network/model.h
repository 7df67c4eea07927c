// SPDX-License-Identifier: Apache-2.0
//
// A trained model: architecture, bars and weights, as one safetensors file whose metadata tell
// which architecture it is and how it was made. Immutable; share it between threads.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "curves/records.h"
#include "network/bars.h"
#include "network/copula.h"
#include "network/network.h"

namespace cmbo::network {

class Model {
 public:
  // `weights` are an arena of the network's table; `card` says how the model was made.
  // `records` are the curves of earlier tasks that its hints come from.
  Model(std::unique_ptr<const Network> network, Bars bars, std::vector<float> weights, Json card,
        Copula copula = {}, curves::Records records = {});

  const Network& network() const { return *network_; }
  const Bars& bars() const { return bars_; }
  const std::vector<float>& weights() const { return weights_; }
  const Json& card() const { return card_; }
  const Copula& copula() const { return copula_; }
  const curves::Records& records() const { return records_; }

 private:
  std::unique_ptr<const Network> network_;
  Bars bars_;
  std::vector<float> weights_;
  Json card_;
  Copula copula_;
  curves::Records records_;
};

// The bytes of a model file, and back. A file that is short, long, foreign, damaged or of another
// architecture is refused with what to do.
std::string model_to_bytes(const Model& model);
Result<Model> model_from_bytes(std::string_view bytes);

// No model file is larger.
inline constexpr uint64_t kMaxModelBytes = uint64_t{4} << 30;

}  // namespace cmbo::network
