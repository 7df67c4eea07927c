// SPDX-License-Identifier: Apache-2.0
#include "cli/study_drive.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <utility>

#include "cli/study_runner.h"
#include "cli/text.h"
#include "runner/process_table.h"
#include "runner/salvage.h"
#include "runner/trial_directory.h"

namespace cmbo::cli {

namespace {

constexpr double kLeftoverGraceSeconds = 10;

study::Outcome outcome_of(runner::Outcome outcome) {
  switch (outcome) {
    case runner::Outcome::kReached:
      return study::Outcome::kReached;
    case runner::Outcome::kPreempted:
      return study::Outcome::kPreempted;
    case runner::Outcome::kFailed:
      return study::Outcome::kFailed;
    case runner::Outcome::kTimedOut:
      return study::Outcome::kTimedOut;
    case runner::Outcome::kDiverged:
      return study::Outcome::kDiverged;
  }
  return study::Outcome::kFailed;
}

// A decision in a few words.
std::string why(const Json& decision, const std::string& unit) {
  if (!decision.contains("chosen")) return decision.value("reason", "");
  const Json& chosen = decision["chosen"];
  const std::string chance =
      chosen.contains("chance")
          ? fmt::format(", chance {:.0f} %", 100 * chosen["chance"].get<double>())
          : "";
  return fmt::format("expected gain {:.2g} in {}{}", chosen["gain"].get<double>(),
                     plural(chosen["epochs"].get<size_t>(), unit), chance);
}

double mean_seconds(const study::Facts& facts) {
  double sum = 0.0;
  for (const study::Observation& observation : facts.observations()) sum += observation.seconds;
  return sum / std::max<double>(1.0, static_cast<double>(facts.observations().size()));
}

// Records what was reported in slices that are still open, although the process that had opened
// them is gone. Nobody took the time of these steps: they count as long as others did. Before the
// study is opened, because that ends these slices, and a crash in between would forget them.
Result<size_t> salvage_lost_slices(const StudyPaths& paths, const study::StudyFile& file,
                                   study::Storage& storage) {
  CMBO_TRY(const auto record, storage.study());
  if (!record) return size_t{0};
  CMBO_TRY(const study::Facts facts, study::Facts::load(storage));
  size_t salvaged = 0;
  for (const study::Slice* slice : facts.open_slices()) {
    const runner::LostSlice lost{slice->id, slice->trial, paths.trial(slice->trial), slice->from,
                                 slice->to};
    study::Observation next{.trial = slice->trial,
                            .step = facts.steps(slice->trial),
                            .seconds = mean_seconds(facts),
                            .slice = slice->id};
    const study::Observation* last = facts.last(slice->trial);
    bool diverged = last != nullptr && std::isnan(last->value);
    for (const runner::Report& report : runner::salvage_reports(lost, report_rules(file))) {
      if (diverged || report.step != next.step + 1) continue;
      diverged = !std::isfinite(report.value);
      ++next.step;
      next.value = diverged ? std::numeric_limits<double>::quiet_NaN() : report.value;
      CMBO_RETURN_IF_ERROR(storage.record(next));
      ++salvaged;
    }
  }
  return salvaged;
}

}  // namespace

StudyDrive::StudyDrive(const StudyPaths& paths, study::Study study, study::Storage& storage,
                       Question question, std::unique_ptr<runner::Runner> runner)
    : paths_(paths),
      storage_(storage),
      question_(std::move(question)),
      study_(std::move(study)),
      runner_(std::move(runner)) {}

Result<std::unique_ptr<StudyDrive>> StudyDrive::open(const StudyPaths& paths,
                                                     const Definition& definition,
                                                     study::Storage& storage, DriveOptions options,
                                                     Context& context) {
  CMBO_RETURN_IF_ERROR(context.files.create_directories(paths.trials()));
  CMBO_TRY(auto runner, make_runner(definition.file, paths, context));
  CMBO_TRY(const size_t ended, runner::end_leftovers(paths.trials(), kLeftoverGraceSeconds));
  CMBO_TRY(const size_t salvaged, salvage_lost_slices(paths, definition.file, storage));
  auto study = study::Study::open(definition.file, definition.text,
                                  {storage, context.clock, options.policy});
  if (!study.ok()) return study.error().within(paths.file.string());
  std::unique_ptr<StudyDrive> drive(new StudyDrive(paths, std::move(study).value(), storage,
                                                   std::move(options.question), std::move(runner)));
  if (ended > 0) {
    drive->note(Note::Kind::kWarning,
                fmt::format("ended {} that an interrupted run had left behind",
                            plural(ended, "training process")));
  }
  if (salvaged > 0) {
    drive->note(Note::Kind::kEnded, fmt::format("{} reported while cmbo was away",
                                                plural(salvaged, definition.file.fidelity.name)));
  }
  CMBO_RETURN_IF_ERROR(drive->check_checkpoints());
  return drive;
}

Status StudyDrive::check_checkpoints() {
  for (uint32_t trial = 0; trial < study_.facts().trials().size(); ++trial) {
    if (!study_.facts().trials()[trial].checkpoint_bytes) continue;
    CMBO_RETURN_IF_ERROR(weigh_checkpoint(trial));
  }
  return {};
}

Result<std::optional<std::string>> StudyDrive::advance(double seconds) {
  if (study_.wall_left() == 0.0 && !running_.empty()) CMBO_RETURN_IF_ERROR(freeze());
  CMBO_TRY(const std::optional<std::string> reason, start_wanted());
  if (reason) {
    CMBO_RETURN_IF_ERROR(freeze());
    return reason;
  }
  CMBO_RETURN_IF_ERROR(hear(runner_->poll(seconds)));
  CMBO_RETURN_IF_ERROR(study_.tick());
  return std::optional<std::string>();
}

Status StudyDrive::freeze() {
  return hear(runner_->freeze_all());
}

std::vector<Note> StudyDrive::take_notes() {
  return std::exchange(notes_, {});
}

// The reason to stop, if there is one.
Result<std::optional<std::string>> StudyDrive::start_wanted() {
  CMBO_TRY(const bool wished, somebody_wishes());
  if (!ask_again_ && !wished) return std::optional<std::string>();
  for (;;) {
    CMBO_TRY(const study::Answer answer, question_(study_));
    if (const auto* stop = std::get_if<study::Stop>(&answer)) {
      return std::optional<std::string>(stop->reason);
    }
    if (std::holds_alternative<study::Wait>(answer)) break;
    CMBO_RETURN_IF_ERROR(start(std::get<study::Train>(answer)));
  }
  ask_again_ = false;  // to ask again can take a while, and nothing has changed
  return std::optional<std::string>();
}

Result<bool> StudyDrive::somebody_wishes() {
  CMBO_TRY(const study::Wish wish, storage_.wish());
  if (std::exchange(wish_, wish) != wish) return true;
  CMBO_TRY(const auto queue, storage_.queue());
  return !queue.empty();
}

// The one that the fewest trainings have.
std::string StudyDrive::free_gpu() const {
  std::string best;
  size_t fewest = running_.size() + 1;
  for (const std::string& gpu : study_.file().gpus) {
    const auto users =
        static_cast<size_t>(std::count_if(running_.begin(), running_.end(), [&](const auto& entry) {
          return entry.second.gpu == gpu;
        }));
    if (users < fewest) {
      fewest = users;
      best = gpu;
    }
  }
  return best;
}

Status StudyDrive::start(const study::Train& train) {
  const study::StudyFile& file = study_.file();
  runner::SliceRequest request{.slice = train.slice,
                               .trial = train.trial,
                               .params = train.parameters,
                               .directory = paths_.trial(train.trial),
                               .start_step = train.from,
                               .target_step = train.to,
                               .max_step = file.fidelity.max,
                               .seed = file.seed,
                               .gpu = free_gpu()};
  if (file.limits.trial_timeout) request.timeout_seconds = *file.limits.trial_timeout;
  const Status started = runner_->start(request);
  if (!started.ok()) {
    note(Note::Kind::kWarning, fmt::format("trial {}: {}", train.trial, started.error().message()));
    return study_.end_slice(train.slice, {study::Outcome::kFailed, started.error().message(), 0.0});
  }
  running_[train.slice] = {train.trial, request.gpu};
  note(Note::Kind::kStarted,
       fmt::format("trial {} {} {}{}: {}", train.trial, file.fidelity.name, train.from + 1,
                   train.to > train.from + 1 ? fmt::format("-{}", train.to) : "",
                   why(study_.last_decision(), file.fidelity.name)));
  return {};
}

Status StudyDrive::hear(const std::vector<runner::Event>& events) {
  for (const runner::Event& event : events) {
    ask_again_ = true;
    CMBO_RETURN_IF_ERROR(std::visit([&](const auto& which) { return hear(which); }, event));
  }
  return {};
}

Status StudyDrive::hear(const runner::ReportEvent& event) {
  const study::Slice& slice = *study_.facts().find_slice(event.slice);
  const uint32_t trial = slice.trial, steps = study_.facts().steps(trial);
  const std::string& unit = study_.file().fidelity.name;
  const runner::Report& report = event.report;
  if (report.step > steps + 1) {
    note(Note::Kind::kWarning,
         fmt::format("trial {}: {} {} was reported after {}; report every one", trial, unit,
                     report.step, steps));
    return {};
  }
  const auto before = study::standing_of(study_.file(), study_.facts());
  const auto step = static_cast<uint32_t>(report.step);
  CMBO_TRY(const study::Reported reported,
           study_.report(event.slice, {step, report.value, event.seconds}));
  if (reported.recorded == study::Recorded::kConflict) {
    note(Note::Kind::kWarning,
         fmt::format("trial {}: {} {} is {} this time; the first value stays. Does the script "
                     "resume? 'cmbo check' tells",
                     trial, unit, step, number_text(report.value)));
    return {};
  }
  const study::Metric& metric = study_.file().metric;
  const bool best = std::isfinite(report.value) &&
                    (!before.best_trial || metric.better(report.value, before.best_value));
  note(Note::Kind::kStep,
       fmt::format("trial {} {} {}: {} {}{}", trial, unit, step, metric.name,
                   std::isfinite(report.value) ? number_text(report.value) : "diverged",
                   best ? "  best so far" : ""));
  return {};
}

Status StudyDrive::hear(const runner::ComplaintEvent& event) {
  const uint32_t trial = study_.facts().find_slice(event.slice)->trial;
  note(Note::Kind::kWarning, fmt::format("trial {}: {}", trial, event.text));
  if (!event.refused || event.refused->step > study_.facts().steps(trial)) return {};
  // It changes nothing, but with another value than before it is noted as a conflict.
  const auto step = static_cast<uint32_t>(event.refused->step);
  CMBO_RETURN_IF_ERROR(study_.report(event.slice, {step, event.refused->value, 0.0}));
  return {};
}

Status StudyDrive::hear(const runner::EndedEvent& event) {
  const uint32_t trial = study_.facts().find_slice(event.slice)->trial;
  running_.erase(event.slice);
  CMBO_RETURN_IF_ERROR(
      study_.end_slice(event.slice, {outcome_of(event.outcome), event.text, event.seconds}));
  const study::Slice& slice = *study_.facts().find_slice(event.slice);
  const std::string_view state = study::state_name(study_.facts().trials()[trial].state);
  if (slice.outcome != study::Outcome::kReached || !slice.note.empty()) {
    const bool calm = slice.outcome == study::Outcome::kPreempted;
    note(calm ? Note::Kind::kEnded : Note::Kind::kWarning,
         fmt::format("trial {} {}{}{}", trial, state, slice.note.empty() ? "" : ": ", slice.note));
  }
  CMBO_RETURN_IF_ERROR(weigh_checkpoint(trial));
  return evict();
}

Status StudyDrive::weigh_checkpoint(uint32_t number) {
  const study::Trial& trial = study_.facts().trials()[number];
  CMBO_TRY(const uint64_t bytes,
           runner::directory_bytes(runner::TrialFiles(paths_.trial(number)).checkpoint));
  if (bytes > 0 || trial.checkpoint_bytes) return study_.set_checkpoint(number, bytes);
  if (trial.state == study::TrialState::kFrozen && !warned_of_checkpoints_) {
    warned_of_checkpoints_ = true;
    note(Note::Kind::kWarning,
         fmt::format("trial {} has saved nothing in $CMBO_CHECKPOINT_DIR; does the script resume? "
                     "'cmbo check' tells",
                     number));
  }
  return {};
}

Status StudyDrive::evict() {
  if (!study_.file().limits.disk) return {};
  for (const study::Eviction& eviction : study_.evictions().evictions) {
    CMBO_RETURN_IF_ERROR(study_.set_checkpoint(eviction.trial, 0));
    CMBO_RETURN_IF_ERROR(runner::remove_checkpoint(paths_.trial(eviction.trial)));
    note(Note::Kind::kEnded, fmt::format("trial {}: its checkpoint of {} gave way to others",
                                         eviction.trial, bytes_text(eviction.bytes)));
  }
  return {};
}

void StudyDrive::note(Note::Kind kind, std::string text) {
  notes_.push_back({kind, std::move(text)});
}

}  // namespace cmbo::cli
