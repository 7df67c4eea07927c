// SPDX-License-Identifier: Apache-2.0
//
// A frozen training as one file:
//
//   8 bytes   a hash of all that follows
//   8 bytes   N, the length of the header
//   N bytes   JSON {"format", "run", "epochs", "weights"}: `run` names the training that it belongs
//             to, the others count
//   the rest  weights and momentum (float), then val_acc, val_loss and train_loss (double) of each
//             epoch
//
// All numbers are little-endian.
#pragma once

#include <string>
#include <string_view>

#include "base/file_system.h"
#include "base/json.h"
#include "base/result.h"
#include "digits/trainer.h"

namespace cmbo::digits {

// `run` is everything that must be the same for a training that goes on.
std::string checkpoint_to_bytes(const State& state, const Json& run);
// Fails if the checkpoint is damaged, or is of another training. Equal to the bit otherwise.
Result<State> checkpoint_from_bytes(std::string_view bytes, const Json& run);

// The file in `directory`; errors name it.
Path checkpoint_path(const Path& directory);
Status save_checkpoint(FileSystem& files, const Path& directory, const State& state,
                       const Json& run);
Result<State> load_checkpoint(FileSystem& files, const Path& directory, const Json& run);

}  // namespace cmbo::digits
