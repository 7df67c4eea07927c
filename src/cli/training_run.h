// SPDX-License-Identifier: Apache-2.0
//
// One run of `cmbo train` from data to model file: resumable, logged, with the best weights kept.
#pragma once

#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/curve_files.h"
#include "network/config.h"
#include "training/trainer.h"

namespace cmbo::cli {

struct TrainOptions {
  InputOptions input;                // without a path everything comes from the prior
  std::string split;                 // lcbench, taskset or pd1: train on its training tasks
  std::vector<std::string> holdout;  // tasks that are not trained on but judged on
  std::string keep = "best";         // weights of the lowest held-out loss, or "last"
  std::string from;                  // model file to start from; empty = random weights
  std::string kind = "curve";        // or point
  size_t steps = 0;                  // how long: steps
  double minutes = 0.0;              // or time
  size_t threads = 0;                // 0 = all cores
  std::string out;                   // model file
  network::NetworkConfig network;
  training::TrainingOptions training;
};

Outcome train(const TrainOptions& options, Context& context);

}  // namespace cmbo::cli
