// SPDX-License-Identifier: Apache-2.0
//
// Runs a study on this machine: what the study asks for, the runner trains; what the runner hears,
// the study records.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/study_directory.h"
#include "runner/runner.h"
#include "study/study.h"

namespace cmbo::cli {

// Something that happened, for the user.
struct Note {
  enum class Kind { kStarted, kStep, kEnded, kWarning };
  Kind kind = Kind::kStep;
  std::string text = {};
};

// What to ask of a study: study.ask(), or something narrower.
using Question = std::function<Result<study::Answer>(study::Study&)>;

struct DriveOptions {
  study::PolicyFactory policy;
  Question question = [](study::Study& study) { return study.ask(); };
};

class StudyDrive {
 public:
  // Begins the study or goes on with it. Ends trainings that a killed run left behind, and records
  // what they reported meanwhile. `storage` is open for driving; all references outlive the drive.
  static Result<std::unique_ptr<StudyDrive>> open(const StudyPaths& paths,
                                                  const Definition& definition,
                                                  study::Storage& storage, DriveOptions options,
                                                  Context& context);

  // Starts what the study wants trained and listens for up to `seconds`. The reason, once the study
  // stops; everything is frozen then.
  Result<std::optional<std::string>> advance(double seconds);

  // Asks all trainings to save and leave, and records what came of them. It takes as long as they
  // take, at most half a minute.
  Status freeze();

  // What happened since the last call.
  std::vector<Note> take_notes();

  const study::Study& study() const { return study_; }

 private:
  StudyDrive(const StudyPaths& paths, study::Study study, study::Storage& storage,
             Question question, std::unique_ptr<runner::Runner> runner);

  struct Running {
    uint32_t trial = 0;
    std::string gpu = {};
  };

  Status check_checkpoints();

  Result<std::optional<std::string>> start_wanted();
  Status start(const study::Train& train);
  std::string free_gpu() const;
  Result<bool> somebody_wishes();

  Status hear(const std::vector<runner::Event>& events);
  Status hear(const runner::ReportEvent& event);
  Status hear(const runner::ComplaintEvent& event);
  Status hear(const runner::EndedEvent& event);
  Status weigh_checkpoint(uint32_t trial);
  Status evict();

  void note(Note::Kind kind, std::string text);

  StudyPaths paths_;
  study::Storage& storage_;
  Question question_;
  study::Study study_;
  std::unique_ptr<runner::Runner> runner_;
  std::map<uint64_t, Running> running_;  // by slice
  std::vector<Note> notes_;
  bool ask_again_ = true;  // something happened since the study had nothing to train
  study::Wish wish_ = study::Wish::kRun;
  bool warned_of_checkpoints_ = false;
};

}  // namespace cmbo::cli
