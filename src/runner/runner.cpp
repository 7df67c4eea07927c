// SPDX-License-Identifier: Apache-2.0
#include "runner/runner.h"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "runner/session.h"

namespace cmbo::runner {

namespace {

// How long reports and ends may stay unnoticed. A look costs a few system calls for each process.
constexpr double kTickSeconds = 0.005;

void sleep_seconds(double seconds) {
  if (seconds > 0) std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
}

}  // namespace

Runner::Runner(Command command, ReportRules rules, RunnerOptions options, FileSystem& files,
               const Clock& clock)
    : workers_(options.workers), max_waiting_(options.max_waiting) {
  SessionOptions session;
  session.resident = options.mode == Mode::kResident;
  session.grace_seconds = options.grace_seconds;
  session.working_directory = std::move(options.working_directory);
  context_ = std::make_unique<const SessionContext>(
      SessionContext{std::move(command), std::move(rules), std::move(session), files, clock});
}

Runner::~Runner() {
  freeze_all();
}

size_t Runner::free_workers() const {
  const auto busy = std::count_if(sessions_.begin(), sessions_.end(),
                                  [](const auto& session) { return session->is_training(); });
  return workers_ - std::min(workers_, static_cast<size_t>(busy));
}

// Whether the trial's waiting process took the slice. If it could not, it is ended at once, because
// two processes must never share a checkpoint.
Result<bool> Runner::thaw(const SliceRequest& request) {
  const auto found = std::find_if(sessions_.begin(), sessions_.end(), [&](const auto& session) {
    return session->trial() == request.trial;
  });
  if (found == sessions_.end()) return false;
  CHECK(!(*found)->is_training(), "a trial has one slice at a time");
  auto thawed = (*found)->thaw(request);
  if (thawed.ok() && *thawed) {
    std::rotate(found, found + 1, sessions_.end());
  } else {
    sessions_.erase(found);
  }
  return thawed;
}

Status Runner::start(const SliceRequest& request) {
  CHECK(free_workers() > 0, "start() needs a free worker");
  CHECK(request.start_step < request.target_step && request.target_step <= request.max_step,
        "a slice leads forward, up to the horizon");
  CMBO_TRY(const bool thawed, thaw(request));
  if (thawed) return {};
  CMBO_TRY(auto session, Session::start(*context_, request));
  sessions_.push_back(std::move(session));
  return {};
}

void Runner::update() {
  for (const auto& session : sessions_) session->update(events_);
  std::erase_if(sessions_, [](const auto& session) { return session->is_over(); });
  limit_waiting();
}

void Runner::limit_waiting() {
  const auto is_waiting = [](const auto& session) { return session->is_waiting(); };
  auto waiting = static_cast<size_t>(std::count_if(sessions_.begin(), sessions_.end(), is_waiting));
  for (; waiting > max_waiting_; --waiting) {
    (*std::find_if(sessions_.begin(), sessions_.end(), is_waiting))->freeze();
  }
}

std::vector<Event> Runner::poll(double timeout_seconds) {
  const double end = system_clock().monotonic_seconds() + timeout_seconds;
  for (;;) {
    update();
    const double left = end - system_clock().monotonic_seconds();
    if (!events_.empty() || left <= 0) return std::exchange(events_, {});
    sleep_seconds(std::min(kTickSeconds, left));
  }
}

std::vector<Event> Runner::freeze_all() {
  for (const auto& session : sessions_) session->freeze();
  for (;;) {
    update();
    if (sessions_.empty()) return std::exchange(events_, {});
    sleep_seconds(kTickSeconds);
  }
}

}  // namespace cmbo::runner
