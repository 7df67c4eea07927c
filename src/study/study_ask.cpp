// SPDX-License-Identifier: Apache-2.0
//
// Study::ask(): what to do next.
#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <utility>

#include "study/refinement.h"
#include "study/study.h"

namespace cmbo::study {

namespace {

// The same for every decision that no policy made.
Json plain_decision(const std::string& reason) {
  return {{"stop", false}, {"reason", reason}};
}

size_t count_in(const Facts& facts, TrialState state) {
  return static_cast<size_t>(
      std::count_if(facts.trials().begin(), facts.trials().end(),
                    [&](const Trial& trial) { return trial.state == state; }));
}

// "3 done, 1 failed"
std::string census(const Facts& facts) {
  std::string text;
  for (const TrialState state :
       {TrialState::kDone, TrialState::kDiverged, TrialState::kFailed, TrialState::kDropped}) {
    const size_t count = count_in(facts, state);
    if (count == 0) continue;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, state_name(state));
  }
  return text;
}

}  // namespace

Status Study::follow(Wish wish) {
  StudyRecord study = facts_.study();
  if (wish == Wish::kStop) return {};
  const StudyState state = wish == Wish::kPause ? StudyState::kPaused : StudyState::kRunning;
  if (study.state == state) return {};
  study.state = state;
  CMBO_RETURN_IF_ERROR(storage_.save(study));
  facts_.mutable_study() = std::move(study);
  return {};
}

Status Study::accept_queue() {
  CMBO_TRY(const std::vector<QueuedConfiguration> queue, storage_.queue());
  for (const QueuedConfiguration& queued : queue) {
    CMBO_TRY(const Json parameters, canonical_parameters(file_, queued.parameters));
    const auto known =
        std::find_if(facts_.trials().begin(), facts_.trials().end(),
                     [&](const Trial& trial) { return trial.parameters == parameters; });
    Trial trial{.number = static_cast<uint32_t>(known - facts_.trials().begin()),
                .parameters = parameters,
                .origin = TrialOrigin::kEnqueued};
    if (known == facts_.trials().end()) {
      CMBO_RETURN_IF_ERROR(add_to_pool(file_, trial, pool_));
    } else if (known->state != TrialState::kNew) {
      trial = *known;  // it had its chance
    }
    CMBO_RETURN_IF_ERROR(storage_.accept(queued.id, trial));
    facts_.put(trial);
  }
  return {};
}

Status Study::refine() {
  const std::vector<Trial> added = refinement(file_, facts_);
  if (added.empty()) return {};
  CMBO_RETURN_IF_ERROR(storage_.extend(added));
  for (const Trial& trial : added) {
    CMBO_RETURN_IF_ERROR(add_to_pool(file_, trial, pool_));
    facts_.put(trial);
  }
  return {};
}

uint64_t Study::epochs_left() const {
  if (!file_.limits.epochs) return std::numeric_limits<uint64_t>::max();
  uint64_t taken = facts_.observations().size();
  for (const Slice* slice : facts_.open_slices()) {
    taken += slice->to - std::min(slice->to, facts_.steps(slice->trial));
  }
  return *file_.limits.epochs - std::min(*file_.limits.epochs, taken);
}

std::optional<Stop> Study::reached_limit() const {
  if (epochs_left() == 0) {
    return Stop{fmt::format("stop: the limit of {} epochs is reached", *file_.limits.epochs)};
  }
  if (file_.limits.disk && !evictions().enough) {
    return Stop{
        "stop: the checkpoints exceed limits.disk, and those left may not be evicted; raise it"};
  }
  return std::nullopt;
}

std::optional<Stop> Study::nothing_left() const {
  const size_t failed = count_in(facts_, TrialState::kFailed);
  if (facts_.observations().empty() && failed >= kMostFirstFailures) {
    const auto last = std::find_if(facts_.slices().rbegin(), facts_.slices().rend(),
                                   [](const Slice& slice) { return !slice.note.empty(); });
    return Stop{fmt::format("stop: the first {} configurations all failed; the last one said: {}",
                            failed, last == facts_.slices().rend() ? "nothing" : last->note)};
  }
  for (uint32_t trial = 0; trial < facts_.trials().size(); ++trial) {
    if (is_candidate(file_, facts_, trial)) return std::nullopt;
  }
  const size_t dropped = count_in(facts_, TrialState::kDropped);
  const std::string remedy =
      dropped == 0
          ? ""
          : "; dropped ones have lost their checkpoints: raise limits.disk to keep more of "
            "them, and pool to go on with other configurations";
  return Stop{fmt::format("stop: no configuration is left to train: {}{}", census(facts_), remedy)};
}

std::optional<uint32_t> Study::first_choice() const {
  for (const Trial& trial : facts_.trials()) {
    if (trial.state == TrialState::kNew && comes_first(trial.origin)) return trial.number;
  }
  return std::nullopt;
}

Result<Answer> Study::ask() {
  CMBO_RETURN_IF_ERROR(tick());
  if (facts_.study().state == StudyState::kStopped) return Answer(Stop{facts_.study().reason});
  CMBO_TRY(const Wish wish, storage_.wish());
  CMBO_RETURN_IF_ERROR(follow(wish));
  if (wish == Wish::kStop) return stop("stop: you asked for it", Json::object());
  if (wall_left() == 0.0) {
    return stop(
        fmt::format("stop: the wall limit of {:.4g} h is reached", *file_.limits.wall / 3600.0),
        Json::object());
  }
  if (wish == Wish::kPause) return Answer(Wait{"paused"});
  CMBO_RETURN_IF_ERROR(accept_queue());
  const size_t busy = facts_.open_slices().size();
  if (busy >= file_.limits.workers) {
    return Answer(Wait{fmt::format("{} of {} workers are busy", busy, file_.limits.workers)});
  }
  CMBO_RETURN_IF_ERROR(refine());
  std::optional<Stop> end = nothing_left();
  if (!end) end = reached_limit();
  if (end && busy > 0) return Answer(Wait{"what runs must end first"});
  if (end) return stop(end->reason, Json::object());
  CMBO_TRY(const Situation situation, situation_of(file_, facts_, pool_));
  const auto trial = first_choice();
  if (trial && situation.affords(*trial, 1)) {
    const bool is_default = facts_.trials()[*trial].origin == TrialOrigin::kDefault;
    const std::string reason =
        fmt::format("configuration {} first: {}", *trial,
                    is_default ? "it is the default one" : "it was enqueued");
    return train(*trial, slice_steps(*trial, file_.fidelity.max, situation), situation,
                 plain_decision(reason));
  }
  return ask_policy(situation);
}

Result<Answer> Study::ask_policy(const Situation& situation) {
  CMBO_TRY(const decide::Decision decision, deliberate(file_, facts_, pool_, situation, policy_));
  const decide::Choice& choice = decision.choice;
  gains_.assign(facts_.trials().size(), 0.0);
  for (const decide::Prospect& other : choice.runners_up) {
    gains_[other.configuration] = other.acquisition;
  }
  if (choice.prospect) gains_[choice.configuration] = choice.prospect->acquisition;
  Json json = decision_to_json(decision, situation);
  if (!decision.stop) {
    const uint32_t most = choice.prospect ? choice.prospect->horizon + 1 : file_.fidelity.max;
    return train(choice.configuration, slice_steps(choice.configuration, most, situation),
                 situation, std::move(json));
  }
  if (!facts_.open_slices().empty()) {
    return Answer(Wait{"nothing more is worth it before what runs ends"});
  }
  return stop(decision.reason, std::move(json));
}

uint32_t Study::slice_steps(uint32_t trial, uint32_t most, const Situation& situation) const {
  const uint32_t wanted = std::min(situation.costs.wanted_steps(trial), most);
  const uint32_t left = file_.fidelity.max - facts_.steps(trial);
  uint64_t steps = std::min<uint64_t>({wanted, left, epochs_left()});
  while (steps > 1 && !situation.affords(trial, steps)) --steps;
  return static_cast<uint32_t>(steps);
}

Result<Answer> Study::finish(uint32_t number) {
  CMBO_RETURN_IF_ERROR(tick());
  if (number >= facts_.trials().size()) return Error(fmt::format("there is no trial {}", number));
  const TrialState state = facts_.trials()[number].state;
  if (state == TrialState::kRunning) return Answer(Wait{"it is being trained"});
  if (!is_candidate(file_, facts_, number)) {
    return Answer(Stop{fmt::format("stop: trial {} is {}", number, state_name(state))});
  }
  CMBO_TRY(const Situation situation, situation_of(file_, facts_, pool_));
  return train(number, file_.fidelity.max - facts_.steps(number), situation,
               plain_decision(fmt::format("finishing configuration {}: you asked for it", number)));
}

Result<Answer> Study::train(uint32_t number, uint32_t steps, const Situation& situation,
                            Json decision) {
  Trial trial = facts_.trials()[number];
  const uint32_t from = facts_.steps(number);
  Slice slice{.trial = number,
              .from = from,
              .to = from + steps,
              .expected_cost = steps * situation.budget().epoch_cost(number),
              .started_at = clock_.wall_seconds()};
  move_to(trial, TrialState::kRunning);
  DecisionRecord record{.at = slice.started_at, .trial = number, .what = std::move(decision)};
  CMBO_TRY(slice.id, storage_.start(slice, trial, record));
  facts_.put(slice);
  facts_.put(trial);
  last_decision_ = std::move(record.what);
  return Answer(Train{slice.id, number, trial.parameters, slice.from, slice.to});
}

Result<Answer> Study::stop(const std::string& reason, Json decision) {
  StudyRecord study = facts_.study();
  study.state = StudyState::kStopped;
  study.reason = reason;
  decision["stop"] = true;
  decision["reason"] = reason;
  const DecisionRecord record{.at = clock_.wall_seconds(), .what = decision};
  CMBO_RETURN_IF_ERROR(storage_.add(record, study));
  saved_wall_ = study.wall_seconds;
  facts_.mutable_study() = std::move(study);
  last_decision_ = std::move(decision);
  return Answer(Stop{reason});
}

}  // namespace cmbo::study
