// SPDX-License-Identifier: Apache-2.0
#include "runner/resume_check.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace cmbo::runner {

namespace {

constexpr double kRounding = 1e-6;      // relative: sums in another order, printed digits
constexpr double kNoiseFactor = 3;      // what two equal runs differ by, times this, is still noise
constexpr double kMinEffect = 0.1;      // of the progress in one go, if equal runs differ
constexpr double kStandstill = 0.2;     // of the progress in one go: less is none
constexpr double kMinEpochShare = 0.3;  // of the time to the first report, to judge by time
constexpr double kMinEpochSeconds = 0.25;  // likewise: a busy machine delays shorter ones as much

const ObservedReport* find_step(const ObservedSlice& slice, uint64_t step) {
  const auto found = std::find_if(slice.reports.begin(), slice.reports.end(),
                                  [&](const auto& seen) { return seen.report.step == step; });
  return found == slice.reports.end() ? nullptr : &*found;
}

// The numbers that the verdict depends on: values of step 1 and 2, in one go and with a freeze.
struct Evidence {
  double whole1 = 0, whole2 = 0, first = 0, second = 0;
  double noise = 0;  // between two equal runs; 0 if not known
  bool noise_known = false;
  double whole1_seconds = 0;  // from the start to the report of step 1
  double epoch_seconds = 0;   // from there to the report of step 2
  double second_seconds = 0;  // from the thaw to the first report

  double rounding() const {
    return kRounding * std::max({std::abs(whole1), std::abs(whole2), std::abs(first)});
  }
  // Two runs tell little about noise; where there is some, a small part of the progress proves
  // nothing.
  double tolerance() const {
    if (noise <= rounding()) return rounding();
    return std::max(kNoiseFactor * noise, kMinEffect * std::abs(whole2 - whole1));
  }
  bool same(double a, double b) const { return std::abs(a - b) <= tolerance(); }
  // Epochs are long enough, beside the start, for times to mean something.
  bool can_judge_time() const {
    return epoch_seconds >= kMinEpochShare * whole1_seconds && epoch_seconds > 0;
  }
};

ResumeVerdict incomplete(std::string_view where, uint64_t step) {
  return {ResumeFinding::kIncomplete, fmt::format("{} step {} was not reported", where, step),
          "report every step from CMBO_START_STEP + 1 to CMBO_TARGET_STEP once it is trained and "
          "saved"};
}

std::string both_ways(const Evidence& e) {
  return fmt::format(
      "step 1 and 2 are {:.6g} and {:.6g} in one go, {:.6g} and {:.6g} with a freeze "
      "between",
      e.whole1, e.whole2, e.first, e.second);
}

// It reported step 1 again after the thaw: from scratch, from the checkpoint, or trained further?
ResumeVerdict judge_repeated(const Evidence& e, const ObservedReport& repeated) {
  const double value = repeated.report.value;
  const bool trained_on = std::abs(value - e.whole2) < std::abs(value - e.first);
  const bool quick =
      e.can_judge_time() && repeated.seconds < e.whole1_seconds - 0.5 * e.epoch_seconds;
  if (trained_on) {
    return {ResumeFinding::kRepeatsStep,
            fmt::format("thawed after step 1, it trains on but calls the next step 1 again "
                        "({:.6g}, which is the value of step 2)",
                        value),
            "the loop begins one step too early: its first step is CMBO_START_STEP + 1"};
  }
  if (quick) {
    return {ResumeFinding::kRepeatsStep,
            fmt::format("thawed after step 1, it reports step 1 ({:.6g}) again before it trains",
                        value),
            "report only steps after CMBO_START_STEP"};
  }
  return {ResumeFinding::kRestarts,
          fmt::format("thawed after step 1, it trains step 1 again ({:.6g}, before {:.6g})", value,
                      e.first),
          "load the checkpoint from CMBO_CHECKPOINT_DIR when CMBO_START_STEP is not 0, and begin "
          "with the step after it"};
}

// Step 2 differs. What of it was lost can only be guessed, from how far it came.
ResumeVerdict judge_different_second(const Evidence& e) {
  const double progress = (e.second - e.first) / (e.whole2 - e.whole1);  // 1 = as in one go
  if (e.same(e.second, e.first) || progress < kStandstill) {
    return {ResumeFinding::kRestarts,
            "thawed after step 1, step 2 is no further than step 1 was: " + both_ways(e),
            "load the checkpoint from CMBO_CHECKPOINT_DIR when CMBO_START_STEP is not 0, and the "
            "weights from it"};
  }
  if (progress > 1) {
    return {ResumeFinding::kOtherData,
            "thawed after step 1, step 2 comes out further than in one go: " + both_ways(e),
            "probably the data are split or shuffled differently after a thaw, so that the "
            "training has seen what it is judged by: make the split from CMBO_SEED alone, and the "
            "order of step n from CMBO_SEED and n; save random number generators in the "
            "checkpoint"};
  }
  return {ResumeFinding::kLostState, "thawed after step 1, step 2 falls behind: " + both_ways(e),
          "probably the checkpoint lacks the optimizer's state (momentum, Adam's moments) or the "
          "schedule's: save and load them with the weights; or the data are split differently: "
          "make the split from CMBO_SEED alone"};
}

// The values agree.
ResumeVerdict judge_equal(const Evidence& e) {
  if (e.same(e.whole1, e.whole2)) {
    return {ResumeFinding::kUnclear,
            fmt::format("step 1 and 2 differ by {:.3g}, but equal runs by {:.3g}: nothing can be "
                        "seen in that",
                        std::abs(e.whole2 - e.whole1), e.noise),
            e.noise > e.rounding()
                ? "seed everything with CMBO_SEED so that equal runs are equal"
                : "check with a configuration that learns something in its first two steps"};
  }
  const double extra = e.second_seconds - e.whole1_seconds;
  if (e.can_judge_time() && e.epoch_seconds >= kMinEpochSeconds && extra > 0.5 * e.epoch_seconds) {
    return {ResumeFinding::kTrainsAgain,
            fmt::format("the values are right, but the thawed step 2 took {:.3g} s from its start, "
                        "and step 1 {:.3g} s: it seems to train step 1 again",
                        e.second_seconds, e.whole1_seconds),
            "load the checkpoint instead of training up to CMBO_START_STEP once more"};
  }
  std::string text = "it goes on after a freeze as if there had been none";
  if (e.noise > e.rounding()) text += fmt::format(" (equal runs differ by up to {:.3g})", e.noise);
  return {ResumeFinding::kResumes, text + ": " + both_ways(e), ""};
}

ResumeVerdict judge(const Evidence& e) {
  const bool first_differs = !e.same(e.first, e.whole1);
  const bool second_differs = !e.same(e.second, e.whole2);
  if ((first_differs || second_differs) && !e.noise_known) {
    return {ResumeFinding::kNeedsYardstick, both_ways(e),
            "train the two steps in one go once more, to see what is noise"};
  }
  if (first_differs) {
    return {
        ResumeFinding::kDependsOnSlice,
        fmt::format("step 1 is {:.6g} if the slice ends there, and {:.6g} if it goes on to step "
                    "2",
                    e.first, e.whole1),
        "something, often the learning-rate schedule, depends on CMBO_TARGET_STEP: make it "
        "depend on CMBO_MAX_STEP"};
  }
  return second_differs ? judge_different_second(e) : judge_equal(e);
}

}  // namespace

ResumeVerdict judge_resumption(const ResumeObservations& observations) {
  const auto* whole1 = find_step(observations.whole, 1);
  const auto* whole2 = find_step(observations.whole, 2);
  const auto* first = find_step(observations.first, 1);
  const auto* second = find_step(observations.second, 2);
  const auto* repeated = find_step(observations.second, 1);
  if (whole1 == nullptr) return incomplete("in one go,", 1);
  if (whole2 == nullptr) return incomplete("in one go,", 2);
  if (first == nullptr) return incomplete("before the freeze,", 1);
  if (second == nullptr && repeated == nullptr) return incomplete("after the freeze,", 2);
  Evidence e;
  e.whole1 = whole1->report.value;
  e.whole2 = whole2->report.value;
  e.first = first->report.value;
  e.whole1_seconds = whole1->seconds;
  e.epoch_seconds = whole2->seconds - whole1->seconds;
  if (repeated != nullptr) return judge_repeated(e, *repeated);
  e.second = second->report.value;
  e.second_seconds = second->seconds;
  if (observations.whole_again) {
    const auto* again1 = find_step(*observations.whole_again, 1);
    const auto* again2 = find_step(*observations.whole_again, 2);
    if (again1 == nullptr || again2 == nullptr) return incomplete("in one go once more,", 2);
    e.noise_known = true;
    e.noise = std::max(std::abs(e.whole1 - again1->report.value),
                       std::abs(e.whole2 - again2->report.value));
  }
  return judge(e);
}

void observe(const Event& event, ObservedSlice& slice) {
  if (const auto* report = std::get_if<ReportEvent>(&event)) {
    slice.reports.push_back({report->report, report->seconds_since_start});
  } else if (const auto* complaint = std::get_if<ComplaintEvent>(&event)) {
    if (complaint->refused) {
      slice.reports.push_back({*complaint->refused, complaint->seconds_since_start});
    }
  }
}

}  // namespace cmbo::runner
