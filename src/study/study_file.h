// SPDX-License-Identifier: Apache-2.0
//
// study.yaml: what to train, what is measured, what that is worth and what may be spent.
//
//   command: python train.py --lr {lr} --layers {layers}
//   metric: {name: val_acc, goal: maximize, range: [0, 1]}
//   fidelity: {name: epoch, max: 50}
//   parameters:
//     lr: {type: float, low: 1e-5, high: 0.1, log: true, default: 1e-3}
//     layers: {type: int, low: 1, high: 5}
//   utility: {tradeoff: "0.01 of val_acc is worth 2 h"}
//   limits: {wall: 8 h, workers: 2, disk: 10 GB}
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "space/space.h"
#include "study/metric.h"
#include "study/utility_spec.h"

namespace cmbo::study {

struct Fidelity {
  std::string name = "epoch";  // what a step is called
  uint32_t max = 0;            // the horizon: steps of a full training, 1..100,000
};

// Over all workers and restarts; absent = none.
struct Limits {
  std::optional<double> wall = {};      // s that `tune` runs, without downtime: "8 h"
  std::optional<double> cost = {};      // in the utility's unit: 300, "300 epochs", "4 h", "20 EUR"
  std::optional<uint64_t> epochs = {};  // trained in all
  std::optional<uint64_t> disk = {};    // bytes of all checkpoints: "10 GB"
  uint32_t workers = 1;                 // trainings at a time, 1..1024
  std::optional<double> trial_timeout = {};  // s that a slice may take: "30 min"
};

struct Checkpoints {
  uint32_t keep_best = 1;  // this many best trials never lose theirs, at least 1
  bool evict = true;       // false: at the quota, no new configuration is started instead
};

enum class Mode {
  kSlice,     // a process for each slice
  kResident,  // the process stays and waits between slices
};

struct StudyFile {
  std::vector<std::string> command =
      {};             // one text for the shell, or several words; {placeholders}
  bool shell = true;  // `command` is a single text
  Metric metric;
  Fidelity fidelity;
  space::Space space;   // `parameters`
  UtilitySpec utility;  // default {alpha: 2e-4}
  Limits limits;
  Checkpoints checkpoints;
  uint64_t seed = 0;            // of the pool, the policy and the trainings; below 2^53
  std::string method = "cmbo";  // one of `cmbo replay` that needs no earlier tasks
  std::string model = {};       // a path; empty = the one that comes with cmbo
  uint32_t pool = 1000;         // configurations to choose from, 1..100,000
  bool refine = false;          // add configurations near the best ones to the pool (refinement.h)
  Mode mode = Mode::kSlice;
  std::vector<std::string> gpus = {};  // handed out to workers as CUDA_VISIBLE_DEVICES
};

// Required: command, metric.name, fidelity.max, parameters. A placeholder must be a parameter or
// one of protocol_placeholders(). An error names the key, an unknown key the nearest known one.
Result<StudyFile> study_file_from_json(const Json& json);
Result<StudyFile> study_file_from_yaml(std::string_view text);

// Names that a command may use apart from its parameters: trial, params, checkpoint_dir,
// start_step, target_step, max_step, seed, report.
const std::vector<std::string_view>& protocol_placeholders();

// Whether a study that was begun with `before` can go on with `after`; the error names what must
// not change: metric name and goal, fidelity.max, parameters, seed (trainings split their data by
// it); and the pool must not become smaller. Everything else may change.
Status check_continues(const StudyFile& before, const StudyFile& after);

}  // namespace cmbo::study
