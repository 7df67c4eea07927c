// SPDX-License-Identifier: Apache-2.0
//
// For tests: a small study, policies that can be foreseen, trainings that remember what they did,
// and a storage that fails when it is told to.
#pragma once

#include <functional>
#include <gtest/gtest.h>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "study/memory_storage.h"
#include "study/storage.h"
#include "study/study.h"

namespace cmbo::study {

// Eight configurations of four steps, the first of them the default; `more` is added to the file.
inline std::string small_study(const std::string& more = "") {
  return R"(
command: train --width {width}
metric: {name: acc, goal: maximize, range: [0, 1]}
fidelity: {name: epoch, max: 4}
parameters:
  width: {type: int, low: 1, high: 8, default: 5}
pool: 8
)" + more;
}

// Trains what was trained least, the first among equals, as long as anything is left.
class LeastTrained : public decide::Policy {
 public:
  Result<decide::Choice> choose(const decide::History& history) override {
    decide::Choice choice;
    const std::vector<uint32_t> candidates = history.candidates();
    choice.configuration = candidates[0];
    for (const uint32_t n : candidates) {
      if (history.epochs(n) < history.epochs(choice.configuration)) choice.configuration = n;
    }
    choice.probability = 1.0;
    choice.prospect = decide::Prospect{choice.configuration, 1.0, most_epochs - 1, 0.5F};
    return choice;
  }
  uint32_t most_epochs = 2;  // the best horizon that it pretends to know
};

inline PolicyFactory least_trained() {
  return [](const decide::Utility&, const decide::Budget&) {
    return Result<std::unique_ptr<decide::Policy>>(std::make_unique<LeastTrained>());
  };
}

// What is on the disk of a machine that trains: it survives when cmbo dies. A training saves its
// checkpoint before it reports, and says again what it has trained but not yet reported.
class FakeTrainings {
 public:
  virtual ~FakeTrainings() = default;

  // The value of a step; trained only if the checkpoint is not that far yet.
  virtual double train(uint32_t trial, uint32_t step) {
    uint32_t& checkpoint = checkpoints_[trial];
    if (step > checkpoint) {
      CHECK(step == checkpoint + 1, "a training goes on from its checkpoint");
      checkpoint = step;
      ++trained_;
    }
    return value(trial, step);
  }
  static double value(uint32_t trial, uint32_t step) {
    return (0.1 * (trial % 7) + 0.05 * step + 0.1) / 2.0;
  }
  // Steps that were computed, which takes a step as often as it was.
  size_t trained() const { return trained_; }

 private:
  std::map<uint32_t, uint32_t> checkpoints_;  // the last step of each trial
  size_t trained_ = 0;
};

// Passes everything on, and calls `strike` before and after each write with its number, from 0; an
// error that it returns is the write's. After it was done, that is like dying in between.
class FaultyStorage : public Storage {
 public:
  using Strike = std::function<Status(size_t write, bool done)>;
  FaultyStorage(Storage& inner, Strike strike) : inner_(inner), strike_(std::move(strike)) {}

  Result<std::optional<StudyRecord>> study() override { return inner_.study(); }
  Result<std::vector<Trial>> trials() override { return inner_.trials(); }
  Result<std::vector<Slice>> slices() override { return inner_.slices(); }
  Result<std::vector<Observation>> observations() override { return inner_.observations(); }
  Result<std::vector<DecisionRecord>> decisions() override { return inner_.decisions(); }
  Result<std::vector<Observation>> conflicts() override { return inner_.conflicts(); }
  Result<Wish> wish() override { return inner_.wish(); }
  Result<std::vector<QueuedConfiguration>> queue() override { return inner_.queue(); }

  Status create(const StudyRecord& study, std::span<const Trial> trials) override {
    return write([&] { return inner_.create(study, trials); });
  }
  Status save(const StudyRecord& study) override {
    return write([&] { return inner_.save(study); });
  }
  Status save(const Trial& trial) override {
    return write([&] { return inner_.save(trial); });
  }
  Status extend(std::span<const Trial> trials) override {
    return write([&] { return inner_.extend(trials); });
  }
  Result<uint64_t> start(const Slice& slice, const Trial& trial,
                         const DecisionRecord& decision) override {
    return write([&] { return inner_.start(slice, trial, decision); });
  }
  Result<Recorded> record(const Observation& observation) override {
    return write([&] { return inner_.record(observation); });
  }
  Status end(const Slice& slice, const Trial& trial) override {
    return write([&] { return inner_.end(slice, trial); });
  }
  Status add(const DecisionRecord& decision, const StudyRecord& study) override {
    return write([&] { return inner_.add(decision, study); });
  }
  Status set_wish(Wish wish) override {
    return write([&] { return inner_.set_wish(wish); });
  }
  Result<uint64_t> enqueue(const Json& parameters) override {
    return write([&] { return inner_.enqueue(parameters); });
  }
  Status accept(uint64_t queued, const Trial& trial) override {
    return write([&] { return inner_.accept(queued, trial); });
  }

 private:
  template <typename Write>
  auto write(const Write& call) -> decltype(call()) {
    const size_t number = writes_++;
    CMBO_RETURN_IF_ERROR(strike_(number, false));
    auto result = call();
    CMBO_RETURN_IF_ERROR(strike_(number, true));
    return result;
  }

  Storage& inner_;
  Strike strike_;
  size_t writes_ = 0;
};

// Runs a study with as many fake workers as it allows, each a step further in turn, until it stops;
// gives the reason. An error is the storage's, at whatever moment it came.
inline Result<std::string> run_until_stopped(Study& study, FakeTrainings& trainings) {
  std::vector<Train> running;
  for (;;) {
    CMBO_TRY(const Answer answer, study.ask());
    if (const auto* stop = std::get_if<Stop>(&answer)) return stop->reason;
    if (const auto* train = std::get_if<Train>(&answer)) {
      running.push_back(*train);
      continue;
    }
    CHECK(!running.empty(), "a study does not wait for nothing");
    Train train = running.front();
    running.erase(running.begin());
    const uint32_t step = ++train.from;
    CMBO_TRY(const Reported reported,
             study.report(train.slice, {step, trainings.train(train.trial, step), 0.0}));
    if (reported.go_on) {
      running.push_back(train);
    } else {
      CMBO_RETURN_IF_ERROR(study.end_slice(train.slice, {}));
    }
  }
}

// Runs the study of `text` to its end once for each of its writes, before and after it is done, and
// dies there; calls `check(storage, trainings, reason)` each time. Gives how often it died.
template <typename Check>
size_t die_at_every_write(const std::string& text, const Check& check) {
  const StudyFile file = study_file_from_yaml(text).value();
  const ManualClock clock;
  size_t deaths = 0;
  for (size_t at = 0; deaths == at; ++at) {
    MemoryStorage storage;
    FakeTrainings trainings;
    std::string reason;
    bool died = false;
    for (int life = 0; reason.empty(); ++life) {
      CHECK(life < 3, "a study dies once, perhaps while it is opened");
      FaultyStorage faulty(storage, [&](size_t write, bool done) -> Status {
        if (died || write != at / 2 || done != (at % 2 == 1)) return {};
        died = true;
        return Error("dead");
      });
      auto study = Study::open(file, text, {faulty, clock, least_trained()});
      if (!study.ok()) continue;
      const auto end = run_until_stopped(*study, trainings);
      if (end.ok()) reason = *end;
    }
    if (died) ++deaths;
    SCOPED_TRACE(at);
    check(storage, trainings, reason);
  }
  return deaths;
}

}  // namespace cmbo::study
