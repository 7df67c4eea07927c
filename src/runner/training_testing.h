// SPDX-License-Identifier: Apache-2.0
//
// For tests of the runner: shell scripts as trainings, and what is heard of them.
#pragma once

#include <gtest/gtest.h>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "runner/runner.h"
#include "runner/runner_testing.h"

namespace cmbo::runner {

// Trains step by step, in both modes. EPOCH is run in each step.
inline constexpr const char* kTraining = R"(
step=$CMBO_START_STEP; target=$CMBO_TARGET_STEP
while :; do
  while [ $step -lt $target ]; do
    step=$((step + 1))
    EPOCH
    echo $step > "$CMBO_CHECKPOINT_DIR/step"
    echo "@cmbo {\"step\": $step, \"acc\": 0.$step}"
  done
  [ $CMBO_RESIDENT = 1 ] || exit 0
  read -r line || exit 0
  target=${line#*:}; target=${target%\}}
done)";

inline std::string training(const std::string& epoch = ":") {
  std::string script = kTraining;
  script.replace(script.find("EPOCH"), 5, epoch);
  return script;
}

// What came of one slice.
struct Story {
  std::vector<uint64_t> steps;
  std::string complaints;
  std::optional<EndedEvent> end;
};

class RunnerFixture : public testing::Test {
 protected:
  // Words, because braces in scripts would be placeholders.
  void make(const std::string& script, RunnerOptions options = {.grace_seconds = 20}) {
    write_text(directory_ / "train.sh", script);
    runner_.emplace(
        Command::from_json(Json{"/bin/sh", (directory_ / "train.sh").string()}, {}).value(),
        ReportRules{.metric = "acc", .fidelity = "epoch"}, std::move(options), real_file_system(),
        clock_);
  }

  SliceRequest request(uint64_t trial, uint64_t start, uint64_t target) {
    SliceRequest request;
    request.slice = ++slices_;
    request.trial = trial;
    request.directory = directory_ / ("trials/" + std::to_string(trial));
    request.start_step = start;
    request.target_step = target;
    request.max_step = 100;
    return request;
  }

  void note(const std::vector<Event>& events) {
    for (const Event& event : events) {
      if (const auto* report = std::get_if<ReportEvent>(&event)) {
        stories_[report->slice].steps.push_back(report->report.step);
      } else if (const auto* complaint = std::get_if<ComplaintEvent>(&event)) {
        stories_[complaint->slice].complaints += complaint->text + "\n";
      } else {
        const auto& end = std::get<EndedEvent>(event);
        EXPECT_FALSE(stories_[end.slice].end.has_value()) << "ended twice";
        stories_[end.slice].end = end;
      }
    }
  }

  Story& story(uint64_t slice) { return stories_[slice]; }
  Story& await(uint64_t slice) {
    CHECK(eventually([&] {
            note(runner_->poll(0.05));
            return stories_[slice].end.has_value();
          }),
          "a slice that does not end");
    return stories_[slice];
  }
  void await_step(uint64_t slice, uint64_t step) {
    CHECK(eventually([&] {
            note(runner_->poll(0.05));
            return !stories_[slice].steps.empty() && stories_[slice].steps.back() >= step;
          }),
          "a step that does not come");
  }

  Story& run(const SliceRequest& request) {
    const Status status = runner_->start(request);
    CHECK(status.ok(), "start");
    return await(request.slice);
  }
  Story& run(uint64_t trial, uint64_t start, uint64_t target) {
    return run(request(trial, start, target));
  }

  std::string log_of(uint64_t trial, const std::string& name) {
    return text_of_file(directory_ / ("trials/" + std::to_string(trial) + "/" + name));
  }

  TemporaryDirectory directory_;
  ManualClock clock_;
  std::optional<Runner> runner_;

 private:
  uint64_t slices_ = 0;
  std::map<uint64_t, Story> stories_;
};

inline Outcome outcome_of(const Story& story) {
  return story.end.value().outcome;
}

}  // namespace cmbo::runner
