// SPDX-License-Identifier: Apache-2.0
#include "cli/study_template.h"

#include "base/json.h"

namespace cmbo::cli {

namespace {

constexpr const char* kBeforeCommand =
    R"(# A study: what to train, what is measured, and what that is worth.
#   cmbo check      does the script resume where it was frozen?
#   cmbo tune       runs until nothing more is worth its cost; Ctrl-C is safe

# How a training is started, in the directory of this file. {names} are replaced by the parameters
# below. It goes on from $CMBO_START_STEP (0 = from scratch) with what it saved in
# $CMBO_CHECKPOINT_DIR, trains up to $CMBO_TARGET_STEP, and after every epoch saves and prints a line
#   @cmbo {"step": 3, "val_acc": 0.71}
)";

constexpr const char* kAfterCommand = R"(
# What that line reports. range: [low, high] if the metric has bounds.
metric: {name: val_acc, goal: maximize, range: [0, 1]}

# The epochs of a full training.
fidelity: {name: epoch, max: 50}

# What is tuned: float, int or categorical. A default is tried first.
parameters:
  lr: {type: float, low: 1e-5, high: 0.1, log: true, default: 1e-3}
  layers: {type: int, low: 1, high: 5}
  optimizer: {type: categorical, choices: [sgd, adamw]}
  momentum: {type: float, low: 0.8, high: 0.99, when: {optimizer: sgd}}

# What performance is worth: it stops when no training is expected to be worth its cost. Or say
# utility: {alpha: 2e-4}, the price of an epoch in shares of the metric's range.
utility: {tradeoff: "0.01 of val_acc is worth 100 epochs"}

# Never exceeded, over all restarts. Also: cost, epochs, trial_timeout.
limits: {wall: 8 h, disk: 10 GB, workers: 1}

# So many configurations to choose from, spread over the space. With refine: true more join near the
# best ones as it goes on.
pool: 1000
refine: false

seed: 0
)";

}  // namespace

std::string study_template(const std::string& command) {
  std::string text = command;
  if (text.find('{') == std::string::npos) {
    text += " --lr {lr} --layers {layers} --optimizer {optimizer} --momentum {momentum}";
  }
  // JSON's quotes are YAML's too.
  return kBeforeCommand + ("command: " + Json(text).dump()) + "\n" + kAfterCommand;
}

}  // namespace cmbo::cli
