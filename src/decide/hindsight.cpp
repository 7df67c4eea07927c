// SPDX-License-Identifier: Apache-2.0
#include "decide/hindsight.h"

#include <algorithm>
#include <utility>

#include "decide/acquisition.h"

namespace cmbo::decide {

namespace {

constexpr double kBenefitOfTheDoubt = 3.0;  // c
constexpr double kMostKept = 2.0;
constexpr size_t kRemembered = 20;  // starts

bool same(const Step& a, const Step& b) {
  return a.configuration == b.configuration && a.value == b.value && a.cost == b.cost;
}

bool is_start(const Step& step) {
  return step.epoch == 1;
}

bool begins_with(std::span<const Step> steps, std::span<const Step> known) {
  return steps.size() >= known.size() &&
         std::equal(known.begin(), known.end(), steps.begin(), same);
}

}  // namespace

Hindsight::Hindsight(Extrapolator extrapolator, Utility utility, Budget budget)
    : extrapolator_(std::move(extrapolator)),
      utility_(std::move(utility)),
      budget_(std::move(budget)) {}

Result<double> Hindsight::trust(const History& history) {
  const auto steps = history.steps();
  if (!begins_with(steps, known_)) starts_.clear();
  known_.assign(steps.begin(), steps.end());
  const auto count = static_cast<size_t>(std::count_if(steps.begin(), steps.end(), is_start));
  const size_t forgotten = count - std::min(count, kRemembered);
  starts_.resize(std::max(starts_.size(), forgotten));

  History past(history.curves());
  size_t seen = 0;
  std::optional<uint32_t> started;
  for (size_t b = 0; b <= steps.size(); ++b) {
    std::optional<uint32_t> starting;
    if (b < steps.size() && is_start(steps[b]) && seen++ >= starts_.size()) {
      starting = steps[b].configuration;
    }
    if (const Status looked = look(past, started, starting); !looked.ok()) {
      known_.clear();
      starts_.clear();
      return looked.error();
    }
    if (b < steps.size()) past.add(steps[b].configuration, steps[b].value, steps[b].cost);
    started = starting;
  }

  double kept = kBenefitOfTheDoubt, all = kBenefitOfTheDoubt;
  for (const Start& start : std::span(starts_).subspan(forgotten)) {
    if (start.promised <= 0.0) continue;
    kept += std::min(kMostKept, start.left / start.promised);
    all += 1.0;
  }
  return std::min(1.0, kept / all);
}

Status Hindsight::look(const History& past, std::optional<uint32_t> started,
                       std::optional<uint32_t> starting) {
  std::vector<uint32_t> asked;
  if (started && !past.finished(*started)) asked.push_back(*started);
  if (starting) asked.push_back(*starting);
  std::sort(asked.begin(), asked.end());
  forecast::Samples samples;
  if (!asked.empty()) {
    CMBO_TRY(samples, extrapolator_(past.curves(), asked));
  }
  const Standing now = standing_of(past, utility_);
  const auto promise_of = [&](uint32_t configuration, double latest_utility) {
    const Standing standing{now.spent, now.best, latest_utility};
    for (const Prospect& prospect : prospects(samples, standing, utility_, budget_)) {
      if (prospect.configuration == configuration) return prospect.acquisition;
    }
    return 0.0;  // finished
  };
  if (started) {
    Start& start = starts_.back();
    start.left = std::max(now.utility - start.utility, promise_of(*started, start.utility));
  }
  if (starting) starts_.push_back({now.utility, promise_of(*starting, now.utility), 0.0});
  return {};
}

}  // namespace cmbo::decide
