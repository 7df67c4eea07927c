// SPDX-License-Identifier: Apache-2.0
//
// Training interrupted and resumed: the whole state as one safetensors file, which belongs to one
// run, named by its options.
#pragma once

#include <string>
#include <string_view>

#include "base/json.h"
#include "base/result.h"
#include "training/trainer.h"

namespace cmbo::training {

// What a run has reached besides its TrainingState.
struct RunState {
  TrainingState training;
  double elapsed = 0.0;             // seconds of training, without interruptions
  double best_loss = 0.0;           // on the held-out examples
  std::vector<float> best_weights;  // empty = not evaluated yet
};

// `run` is everything that must be the same for a resumed run.
std::string checkpoint_to_bytes(const RunState& state, const Json& run);
// Fails if the checkpoint is damaged, or is of another run: then the error says what differs.
Result<RunState> checkpoint_from_bytes(std::string_view bytes, const Json& run);

}  // namespace cmbo::training
