// SPDX-License-Identifier: Apache-2.0
#include "runner/session.h"

#include <algorithm>
#include <csignal>
#include <fmt/format.h>

namespace cmbo::runner {

namespace {

Result<Process> start_process(const SessionContext& context, const SliceRequest& request) {
  const TrialFiles files(request.directory);
  ProcessOptions options;
  options.words = context.command.expand(request);
  options.environment = slice_environment(request);
  options.environment.emplace_back("CMBO_RESIDENT", context.options.resident ? "1" : "0");
  options.working_directory = context.options.working_directory;
  options.stdout_log = files.stdout_log;
  options.stderr_log = files.stderr_log;
  options.with_input = context.options.resident;
  return Process::start(options);
}

}  // namespace

Session::Channels::Channels(const TrialFiles& files)
    : output(files.stdout_log), report_file(files.report), errors(files.stderr_log) {}

Session::Session(const SessionContext& context, const SliceRequest& request, Channels channels,
                 Process process)
    : context_(context),
      request_(request),
      files_(request.directory),
      channels_(std::move(channels)),
      process_(std::move(process)),
      parser_(context.rules, request.start_step, request.target_step),
      began_at_(now()) {}

Result<std::unique_ptr<Session>> Session::start(const SessionContext& context,
                                                const SliceRequest& request) {
  CMBO_RETURN_IF_ERROR(prepare_trial(context.files, request, context.clock.wall_seconds()));
  Channels channels{TrialFiles(request.directory)};
  CMBO_TRY(Process process, start_process(context, request));
  return std::unique_ptr<Session>(
      new Session(context, request, std::move(channels), std::move(process)));
}

Result<bool> Session::thaw(const SliceRequest& request) {
  const bool fits = is_waiting() && !process_->exited() && request.gpu == request_.gpu &&
                    request.start_step == parser_.last_step();
  if (!fits) return false;
  CMBO_RETURN_IF_ERROR(prepare_trial(context_.files, request, context_.clock.wall_seconds()));
  channels_.errors = Tail(files_.stderr_log);
  request_ = request;
  parser_.set_target(request.target_step);
  reported_.clear();
  began_at_ = now();
  state_ = State::kTraining;
  thawed_ = true;
  return process_->send_line(Json{{"target_step", request.target_step}}.dump());
}

void Session::update(std::vector<Event>& events) {
  if (is_over()) return;
  const bool exited = process_->exited().has_value();
  hear(exited, events);
  enforce_rules(events);
  press_on();
  if (!exited) return;
  if (!process_->gone()) {  // its children: the grace is theirs too
    if (pressure_ < Pressure::kTerminated) press(Pressure::kTerminated);
    return;
  }
  if (replace_process()) return;
  if (is_training()) end_slice(judge_end(slice_end()), events);
  state_ = State::kOver;
}

bool Session::replace_process() {
  if (!is_training() || !thawed_ || !reported_.empty() || cause_ != StopCause::kNone) return false;
  thawed_ = false;  // only once: the new one is told its target from the start
  auto process = start_process(context_, request_);
  if (process.ok()) process_.emplace(std::move(process).value());
  pressure_ = Pressure::kNone;
  return process.ok();
}

// All that there is, if nothing can follow.
void Session::hear(bool exited, std::vector<Event>& events) {
  for (;;) {
    const std::string output = channels_.output.read();
    const std::string reports = channels_.report_file.read();
    tell(parser_.feed_output(output), events);
    tell(parser_.feed_report_file(reports), events);
    if (!exited || (output.empty() && reports.empty())) break;
  }
  if (exited) tell(parser_.finish(), events);
}

void Session::tell(const Heard& heard, std::vector<Event>& events) {
  const double seconds = now() - began_at_;
  for (const Report& report : heard.reports) {
    const double before = reported_.empty() ? 0.0 : reported_.back().seconds;
    events.emplace_back(ReportEvent{request_.slice, report, seconds, seconds - before});
    reported_.push_back({report.step, seconds});
  }
  for (const Complaint& complaint : heard.complaints) {
    events.emplace_back(ComplaintEvent{request_.slice, complaint.text, complaint.refused, seconds});
  }
}

void Session::enforce_rules(std::vector<Event>& events) {
  const bool at_target = parser_.last_step() == request_.target_step;
  if (parser_.overran()) stop(StopCause::kOverrun);
  if (!is_training()) return;
  if (parser_.diverged()) return stop(StopCause::kDiverged);
  if (at_target && context_.options.resident && cause_ == StopCause::kNone) {
    end_slice({}, events);
    state_ = State::kWaiting;
  } else if (at_target) {
    // The checkpoint is saved: what it does now does not count.
    const double overtime = now() - began_at_ - reported_.back().seconds;
    if (overtime > context_.options.grace_seconds) stop(StopCause::kOverrun);
  } else if (now() - began_at_ > request_.timeout_seconds) {
    stop(StopCause::kTimeout);
  }
}

void Session::freeze() {
  if (is_training()) return stop(StopCause::kFreeze);
  if (pressure_ == Pressure::kNone) press(Pressure::kClosedInput);
}

// The first cause counts.
void Session::stop(StopCause cause) {
  if (cause_ != StopCause::kNone) return;
  cause_ = cause;
  if (pressure_ < Pressure::kTerminated) press(Pressure::kTerminated);
}

void Session::press(Pressure pressure) {
  pressure_ = pressure;
  pressed_at_ = now();
  if (pressure == Pressure::kClosedInput) process_->close_input();
  if (pressure == Pressure::kTerminated) process_->signal(SIGTERM);
  if (pressure == Pressure::kKilled) process_->signal(SIGKILL);
}

void Session::press_on() {
  if (pressure_ == Pressure::kNone || pressure_ == Pressure::kKilled) return;
  if (now() - pressed_at_ < context_.options.grace_seconds) return;
  press(pressure_ == Pressure::kClosedInput ? Pressure::kTerminated : Pressure::kKilled);
}

void Session::end_slice(const Judgement& judgement, std::vector<Event>& events) {
  events.emplace_back(EndedEvent{request_.slice, judgement.outcome, parser_.last_step(),
                                 now() - began_at_, startup_seconds(), judgement.text});
}

SliceEnd Session::slice_end() const {
  SliceEnd end;
  end.exit = *process_->exit();
  end.cause = cause_;
  end.last_step = parser_.last_step();
  end.target_step = request_.target_step;
  end.diverged = parser_.diverged();
  end.seconds = now() - began_at_;
  end.stderr_tail = log_tail(files_.stderr_log, channels_.errors.position());
  return end;
}

std::optional<double> Session::startup_seconds() const {
  if (reported_.size() < 2) return std::nullopt;
  const Timed& first = reported_.front();
  const Timed& last = reported_.back();
  // Arrived together, as from a program that buffers its output, they say nothing about the pace.
  if (last.seconds <= first.seconds) return std::nullopt;
  const double pace = (last.seconds - first.seconds) / static_cast<double>(last.step - first.step);
  const auto first_steps = static_cast<double>(first.step - parser_.start_step());
  return std::max(0.0, first.seconds - pace * first_steps);
}

}  // namespace cmbo::runner
