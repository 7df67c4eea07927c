// SPDX-License-Identifier: Apache-2.0
//
// What `cmbo replay` is asked to do, and what that means run by run.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/curve_files.h"
#include "curves/curve_table.h"
#include "decide/stopping.h"
#include "network/model.h"
#include "replay/methods.h"
#include "replay/run_log.h"

namespace cmbo::cli {

struct ReplayOptions {
  InputOptions input;
  std::vector<std::string> methods = {"cmbo", "random", "asha"};
  bool quick = false;               // a first look: three tasks, one seed
  std::vector<std::string> models;  // files; a task gets the first that has not seen it
  std::string prior_model = "models/default.safetensors";  // file: what ifbo forecasts by
  std::vector<std::string> train_tasks;                    // what a ranking is made from
  std::string split;                                       // or the training part of this split
  std::vector<double> alphas = {0, 4e-5, 2e-4};            // price of a step, one table for each
  size_t budget = 300;                                     // steps
  size_t seeds = 5;  // runs of a method that draws: seeds 1, 2, ...
  decide::StoppingRule stopping;
  std::string rule = "look";                          // or paper
  std::string acquisition = "utility";                // or ei
  double commitment = 0.0;                            // of cmbo
  size_t patience = 3;                                // of cmbo
  double depth = 1.0;                                 // of cmbo
  bool hindsight = true;                              // of cmbo
  std::string samples = "comonotone";                 // or copula, independent
  size_t curves = forecast::SamplingOptions{}.count;  // sampled for each configuration
  size_t threads = 0;                                 // 0 = all cores
  std::string out = "replay";                         // directory
  bool json = false;
};

struct LoadedModel {
  network::Model model;
  std::vector<std::string> trained_on;  // tasks
  std::string hash;
};

// A task to be replayed.
struct ReplayTask {
  std::string name;
  const curves::CurveTable* table = nullptr;
  const LoadedModel* model = nullptr;                           // where there are models
  const LoadedModel* prior_model = nullptr;                     // where a method needs it
  std::vector<const curves::CurveTable*> training_tables = {};  // where a method needs them
  std::string hash = {};                                        // of the table
  std::string training_hash = {};
};

struct ReplayJob {
  replay::RunKey key;
  const ReplayTask* task = nullptr;
  const replay::Method* method = nullptr;
};

// Pointers inside point into the plan itself; it can be moved, not copied.
struct ReplayPlan {
  std::string benchmark;  // the last part of the data's path
  std::vector<std::unique_ptr<const LoadedModel>> models;
  std::unique_ptr<const LoadedModel> prior_model;    // where a method needs it
  std::map<std::string, curves::CurveTable> tables;  // by task
  std::vector<std::unique_ptr<const ReplayTask>> tasks;
  std::vector<ReplayJob> jobs;  // by alpha, task, method and seed
};

// Fails where a task would be judged by a model or a ranking that has seen it.
Result<ReplayPlan> plan_replay(const ReplayOptions& options, Context& context);

}  // namespace cmbo::cli
