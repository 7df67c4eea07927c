// SPDX-License-Identifier: Apache-2.0
//
// The shape of a network: everything that decides its parameters.
#pragma once

#include <cstddef>

#include "base/json.h"
#include "base/result.h"

namespace cmbo::network {

enum class Kind {
  kPoint,  // the paper's: one token for each observation and for each asked (configuration, epoch)
  kCurve,  // ours: one token for each curve, any epochs decoded from it
};

struct NetworkConfig {
  Kind kind = Kind::kCurve;
  size_t dimensions = 16;    // numbers of an encoded configuration; shorter ones are padded with 0
  size_t width = 128;        // d, of a token
  size_t layers = 4;         // transformer blocks
  size_t heads = 4;          // of attention; width must be a multiple
  size_t hidden_factor = 2;  // feed-forward width in units of d
  size_t head_width = 128;   // of the output head
  size_t bars = 256;         // K, of the output distribution
  bool pre_norm = false;     // else layer norm comes after each residual sum, as in the paper
  bool copy = true;          // a narrow component around the last value, mixed with the bars
  float dropout = 0.0F;      // in training only
  bool hints = false;        // what earlier tasks tell is an input; curve network only

  size_t hidden() const { return hidden_factor * width; }
};

// Fails on a size that is 0, absurd, or does not fit (width and heads).
Status check(const NetworkConfig& config);

Json config_to_json(const NetworkConfig& config);
// Missing, unknown and mis-typed keys are errors: the file is of another version.
Result<NetworkConfig> config_from_json(const Json& json);

}  // namespace cmbo::network
