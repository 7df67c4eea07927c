// SPDX-License-Identifier: Apache-2.0
//
// Kill -9 at random moments, hundreds of times in one study: every step of every trial is trained
// and counted exactly once, and the end is that of a study that nobody disturbed.
#include <csignal>
#include <fstream>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>
#include <sys/wait.h>
#include <tuple>
#include <unistd.h>

#include "base/random.h"
#include "base/temporary_directory.h"
#include "storage/sqlite_storage.h"
#include "study/study_testing.h"

namespace cmbo::storage {
namespace {

using study::Facts;
using study::FakeTrainings;
using study::FaultyStorage;
using study::Observation;
using study::Study;
using study::StudyFile;
using study::TrialState;

constexpr size_t kMostLives = 2000;

std::string crash_study() {
  return R"(
command: train --width {width}
metric: {name: acc, goal: maximize, range: [0, 1]}
fidelity: {name: epoch, max: 20}
parameters:
  width: {type: int, low: 1, high: 12, default: 5}
pool: 12
utility: {alpha: 0}
limits: {workers: 2}
)";
}

// The trainings' disk: a file for each trial with a line for each step that was ever computed.
class FileTrainings : public FakeTrainings {
 public:
  FileTrainings(Path directory, std::function<void()> maybe_die)
      : directory_(std::move(directory)), maybe_die_(std::move(maybe_die)) {}

  double train(uint32_t trial, uint32_t step) override {
    if (lines(trial) < step) {
      std::ofstream(path(trial), std::ios::app) << step << "\n" << std::flush;
    }
    maybe_die_();  // saved, but not yet reported
    return value(trial, step);
  }
  // How often any step of a trial was computed.
  size_t lines(uint32_t trial) const {
    std::ifstream file(path(trial));
    size_t count = 0;
    for (std::string line; std::getline(file, line);) ++count;
    return count;
  }

 private:
  Path path(uint32_t trial) const { return directory_ / ("trial" + std::to_string(trial)); }

  Path directory_;
  std::function<void()> maybe_die_;
};

// One life of the process that runs the study. Does not return if it is killed.
Result<std::string> live(const Path& directory, const std::function<void()>& maybe_die) {
  const ManualClock clock;
  CMBO_TRY(const StudyFile file, study::study_file_from_yaml(crash_study()));
  CMBO_TRY(const auto sqlite, SqliteStorage::open(directory / "study.db", {.durable = false}));
  FaultyStorage storage(*sqlite, [&](size_t, bool) -> Status {
    maybe_die();
    return {};
  });
  CMBO_TRY(Study study, Study::open(file, crash_study(), {storage, clock, study::least_trained()}));
  FileTrainings trainings(directory, maybe_die);
  return run_until_stopped(study, trainings);
}

// Whether it was killed; otherwise it has ended well.
bool live_in_a_process(const Path& directory, uint64_t seed) {
  const pid_t child = ::fork();
  if (child == 0) {
    Random random(seed);
    size_t moments = random.index(26);  // until the end; opening a study takes up to eight
    const auto result = live(directory, [&] {
      if (moments-- == 0) (void)::kill(::getpid(), SIGKILL);
    });
    ::_exit(result.ok() ? 0 : 1);
  }
  int status = 0;
  CHECK(child > 0 && ::waitpid(child, &status, 0) == child, "a process to kill");
  CHECK(WIFSIGNALED(status) || WEXITSTATUS(status) == 0, "the study failed");
  return WIFSIGNALED(status);
}

std::set<std::tuple<uint32_t, uint32_t, double>> observed(const Facts& facts) {
  std::set<std::tuple<uint32_t, uint32_t, double>> all;
  for (const Observation& o : facts.observations()) all.insert({o.trial, o.step, o.value});
  return all;
}

TEST(CrashTest, KilledHundredsOfTimesNothingIsLostOrDoneTwice) {
  const TemporaryDirectory disturbed, quiet;
  const Random seeds(20);
  size_t kills = 0;
  for (uint64_t life = 0; live_in_a_process(disturbed.path(), seeds.fork(life).next()); ++life) {
    ASSERT_LT(++kills, kMostLives);
  }
  EXPECT_GE(kills, 200U);
  const auto reason = live(quiet.path(), [] {});
  ASSERT_TRUE(reason.ok()) << reason.error().message();

  const auto storage = SqliteStorage::open(disturbed / "study.db").value();
  const Facts facts = Facts::load(*storage).value();
  EXPECT_EQ(facts.study().reason, *reason);
  EXPECT_EQ(facts.observations().size(), 12U * 20U);
  const FileTrainings trainings(disturbed.path(), [] {});
  for (uint32_t trial = 0; trial < 12; ++trial) {
    EXPECT_EQ(trainings.lines(trial), 20U) << "trial " << trial;
    EXPECT_EQ(facts.trials()[trial].state, TrialState::kDone) << "trial " << trial;
  }
  const auto undisturbed = SqliteStorage::open(quiet / "study.db").value();
  EXPECT_EQ(observed(facts), observed(Facts::load(*undisturbed).value()));
  EXPECT_TRUE(facts.open_slices().empty());
}

}  // namespace
}  // namespace cmbo::storage
