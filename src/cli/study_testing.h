// SPDX-License-Identifier: Apache-2.0
//
// A small study in memory, for the tests of what looks at one.
#pragma once

#include <gtest/gtest.h>
#include <limits>
#include <string>
#include <vector>

#include "cli/study_view.h"
#include "study/memory_storage.h"
#include "study/study_file.h"

namespace cmbo::cli {

inline constexpr const char* kTestStudy = R"(
command: python train.py --lr {lr}
metric: {name: val_acc, goal: maximize, range: [0, 1]}
fidelity: {name: epoch, max: 4}
parameters:
  lr: {type: float, low: 1e-4, high: 1, log: true, default: 0.01}
  optimizer: {type: categorical, choices: [sgd, "a,b"]}
utility: {alpha: 0.01}
limits: {cost: 20, disk: 100 B}
pool: 6
)";

// Six trials: 0 is the default one and frozen after two epochs of 0.5 and 0.7; 1 diverged after
// 0.6; 2 failed at once; 3 runs its first slice and has reported 0.4; 4 is done, at 0.65; 5 is new.
class TestStudy {
 public:
  explicit TestStudy(const std::string& yaml = kTestStudy)
      : file_(study::study_file_from_yaml(yaml).value()) {
    std::vector<study::Trial> trials;
    for (uint32_t n = 0; n < 6; ++n) {
      trials.push_back(
          {.number = n,
           .parameters = {{"lr", n == 0 ? 0.01 : 0.1 * n}, {"optimizer", n == 4 ? "a,b" : "sgd"}},
           .origin = n == 0 ? study::TrialOrigin::kDefault : study::TrialOrigin::kPool});
    }
    EXPECT_TRUE(storage_.create({.definition = yaml, .created_at = 1e9}, trials).ok());
    const double nan = std::numeric_limits<double>::quiet_NaN();
    train(trials[0], {0.5, 0.7}, 2, study::Outcome::kReached, study::TrialState::kFrozen);
    train(trials[1], {0.6, nan}, 2, study::Outcome::kDiverged, study::TrialState::kDiverged);
    train(trials[2], {}, 2, study::Outcome::kFailed, study::TrialState::kFailed);
    train(trials[4], {0.1, 0.65, 0.6, 0.6}, 4, study::Outcome::kReached, study::TrialState::kDone);
    train(trials[3], {0.4}, 2, std::nullopt, study::TrialState::kRunning);
    facts_ = study::Facts::load(storage_).value();
  }

  StudyView view() const { return {file_, facts_}; }
  const study::StudyFile& file() const { return file_; }
  const study::Facts& facts() const { return facts_; }
  study::MemoryStorage& storage() { return storage_; }

 private:
  // Every epoch takes 2 s, and the end of a slice 1 s more.
  void train(study::Trial trial, const std::vector<double>& values, uint32_t to,
             std::optional<study::Outcome> outcome, study::TrialState state) {
    trial.state = study::TrialState::kRunning;
    study::Slice slice{.trial = trial.number, .from = 0, .to = to, .started_at = 1e9 + 10};
    slice.id =
        storage_
            .start(
                slice, trial,
                {.at = 1e9,
                 .trial = trial.number,
                 .what =
                     {{"stop", false},
                      {"reason", "because of test"},
                      {"utility", 0.25},
                      {"chosen",
                       {{"trial", trial.number}, {"gain", 0.125}, {"epochs", 3}, {"final", 0.875}}},
                      {"trust", 0.625},
                      {"kept", 0.5},
                      {"runners_up", {{{"trial", 0}, {"gain", 0.0625}, {"epochs", 1}}}}}})
            .value();
    for (size_t i = 0; i < values.size(); ++i) {
      EXPECT_TRUE(storage_
                      .record({.trial = trial.number,
                               .step = static_cast<uint32_t>(i + 1),
                               .value = values[i],
                               .seconds = 2.0,
                               .slice = slice.id})
                      .ok());
    }
    if (!outcome) return;
    slice.outcome = outcome;
    slice.seconds = 2.0 * static_cast<double>(values.size()) + 1.0;
    if (outcome == study::Outcome::kFailed) slice.note = "ImportError: no module\nline 2";
    trial.state = state;
    trial.note = slice.note;
    if (!values.empty()) trial.checkpoint_bytes = 60;
    EXPECT_TRUE(storage_.end(slice, trial).ok());
  }

  study::StudyFile file_;
  study::MemoryStorage storage_;
  study::Facts facts_;
};

}  // namespace cmbo::cli
