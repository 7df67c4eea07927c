// SPDX-License-Identifier: Apache-2.0
#include "runner/resume_run.h"

#include <fmt/format.h>

namespace cmbo::runner {

namespace {

constexpr double kPollSeconds = 1;

struct CheckedSlice {
  ObservedSlice seen;
  std::optional<EndedEvent> end;

  void hear(const std::vector<Event>& events) {
    for (const Event& event : events) {
      observe(event, seen);
      if (const auto* ended = std::get_if<EndedEvent>(&event)) end = *ended;
    }
  }
};

// Runs the slices of a check one after the other, until one does not reach its target.
class Checker {
 public:
  Checker(Runner& runner, const SliceRequest& request) : runner_(runner), request_(request) {}

  // Steps start+1 to target in the directory `name`; adds what was seen to `slice`.
  Status run(const std::string& name, uint64_t start, uint64_t target, ObservedSlice& slice) {
    SliceRequest request = request_;
    request.directory /= name;
    request.slice = ++slices_;
    request.start_step = start;
    request.target_step = target;
    if (start == 0) CMBO_RETURN_IF_ERROR(clear(request.directory));
    CMBO_RETURN_IF_ERROR(runner_.start(request));
    CheckedSlice checked;
    while (!checked.end) checked.hear(runner_.poll(kPollSeconds));
    checked.hear(runner_.freeze_all());  // a resident process must not remember
    if (checked.end->outcome != Outcome::kReached && failure_.empty()) {
      failure_ = fmt::format("{}, steps {} to {}: {}", name, start + 1, target, checked.end->text);
    }
    slice = std::move(checked.seen);
    return {};
  }

  // Why the first slice that did not reach its target did not; empty = all did.
  const std::string& failure() const { return failure_; }

 private:
  static Status clear(const Path& directory) {
    std::error_code code;
    std::filesystem::remove_all(directory, code);
    if (code) return Error(directory.string() + ": cannot remove: " + code.message());
    return {};
  }

  Runner& runner_;
  const SliceRequest& request_;
  uint64_t slices_ = 0;
  std::string failure_;
};

// A slice that failed because it did not go on properly has a verdict of its own.
ResumeVerdict verdict_of(const ResumeObservations& observations, const std::string& failure) {
  ResumeVerdict verdict = judge_resumption(observations);
  if (verdict.finding != ResumeFinding::kIncomplete || failure.empty()) return verdict;
  return {ResumeFinding::kIncomplete, failure, "make the training run through first"};
}

}  // namespace

Result<ResumeVerdict> check_resumption(Runner& runner, const SliceRequest& request) {
  Checker checker(runner, request);
  ResumeObservations seen;
  CMBO_RETURN_IF_ERROR(checker.run("whole", 0, 2, seen.whole));
  if (checker.failure().empty()) CMBO_RETURN_IF_ERROR(checker.run("frozen", 0, 1, seen.first));
  if (checker.failure().empty()) CMBO_RETURN_IF_ERROR(checker.run("frozen", 1, 2, seen.second));
  ResumeVerdict verdict = verdict_of(seen, checker.failure());
  if (verdict.finding != ResumeFinding::kNeedsYardstick) return verdict;
  seen.whole_again.emplace();
  CMBO_RETURN_IF_ERROR(checker.run("again", 0, 2, *seen.whole_again));
  return verdict_of(seen, checker.failure());
}

}  // namespace cmbo::runner
