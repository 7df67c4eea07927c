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
constexpr size_t kJudged = 10;      // steps

bool same(const Step& a, const Step& b) {
  return a.configuration == b.configuration && a.value == b.value && a.cost == b.cost;
}

bool begins_with(std::span<const Step> steps, std::span<const Step> known) {
  return steps.size() >= known.size() &&
         std::equal(known.begin(), known.end(), steps.begin(), same);
}

// The place of the first of the latest starts.
size_t first_remembered_start(std::span<const Step> steps) {
  size_t starts = 0;
  for (size_t place = steps.size(); place-- > 0;) {
    if (is_start(steps[place]) && ++starts == kRemembered) return place;
  }
  return 0;
}

// Whether what a step promised is compared with what has come since. The first step is not: nothing
// was in hand before it.
bool is_judged(size_t place, size_t steps, size_t horizon) {
  const size_t window = 2 * horizon;
  const size_t distance = (window + kJudged - 1) / kJudged;
  return place > 0 && place + window >= steps && place % distance == 0;
}

}  // namespace

Hindsight::Hindsight(Extrapolator extrapolator, Utility utility, Budget budget)
    : extrapolator_(std::move(extrapolator)),
      utility_(std::move(utility)),
      budget_(std::move(budget)) {}

Result<Kept> Hindsight::kept(const History& history) {
  const auto steps = history.steps();
  if (!begins_with(steps, known_)) {
    known_.clear();
    promises_.clear();
  }
  if (const Status looked = look_back(history, known_.size()); !looked.ok()) {
    known_.clear();
    promises_.clear();
    return looked.error();
  }
  known_.assign(steps.begin(), steps.end());
  Kept kept;
  kept.fresh = kept_by_fresh(first_remembered_start(steps));
  kept.all = kept_by_all(history.curves().horizon, kept.fresh);
  return kept;
}

Status Hindsight::look_back(const History& history, size_t first) {
  const auto steps = history.steps();
  const size_t first_start = first_remembered_start(steps);
  History past(history.curves());
  utilities_.clear();
  bool started = false;  // by the latest of the promises, one step ago
  for (size_t place = 0; place <= steps.size(); ++place) {
    const Standing now = standing_of(past, utility_);
    utilities_.push_back(now.utility);
    const bool more = place < steps.size();
    const bool counts = more && place >= first &&
                        (is_judged(place, steps.size(), past.curves().horizon) ||
                         (is_start(steps[place]) && place >= first_start));
    std::vector<uint32_t> asked;
    if (started && !past.finished(steps[place - 1].configuration)) {
      asked.push_back(steps[place - 1].configuration);
    }
    if (counts) asked.push_back(steps[place].configuration);
    std::sort(asked.begin(), asked.end());
    asked.erase(std::unique(asked.begin(), asked.end()), asked.end());
    forecast::Samples samples;
    if (!asked.empty()) {
      CMBO_TRY(samples, extrapolator_(past.curves(), asked));
    }
    const auto prospect_of = [&](uint32_t configuration, double latest_utility) {
      const Standing standing{now.spent, now.best, latest_utility};
      for (const Prospect& prospect : prospects(samples, standing, utility_, budget_)) {
        if (prospect.configuration == configuration) return prospect;
      }
      return Prospect{};  // finished
    };
    if (started) {
      const double before = utilities_[place - 1];
      promises_.back().left = std::max(
          now.utility - before, prospect_of(steps[place - 1].configuration, before).acquisition);
    }
    started = counts && is_start(steps[place]);
    if (counts) {
      const Prospect prospect = prospect_of(steps[place].configuration, now.utility);
      promises_.push_back({place, started, prospect.acquisition, prospect.horizon + 1});
    }
    if (more) past.add(steps[place].configuration, steps[place].value, steps[place].cost);
  }
  return {};
}

double Hindsight::kept_by_fresh(size_t first_start) const {
  double kept = kBenefitOfTheDoubt, starts = kBenefitOfTheDoubt;
  for (const Promise& promise : promises_) {
    if (!promise.fresh || promise.step < first_start || promise.gain <= 0.0) continue;
    kept += std::min(kMostKept, promise.left / promise.gain);
    starts += 1.0;
  }
  return std::min(1.0, kept / starts);
}

double Hindsight::kept_by_all(size_t horizon, double fresh) const {
  const size_t steps = utilities_.size() - 1;
  double promised = 0.0, due = 0.0, risen = 0.0, count = 0.0;
  for (const Promise& promise : promises_) {
    if (!is_judged(promise.step, steps, horizon) || promise.gain <= 0.0) continue;
    const double gain = promise.fresh ? fresh * promise.gain : promise.gain;
    const size_t passed = std::min<size_t>(steps - promise.step, promise.epochs);
    const auto since = utilities_.begin() + static_cast<ptrdiff_t>(promise.step);
    const double best = *std::max_element(since, since + static_cast<ptrdiff_t>(passed) + 1);
    promised += gain;
    due += gain * static_cast<double>(passed) / static_cast<double>(promise.epochs);
    risen += std::min(gain, best - *since);
    count += 1.0;
  }
  if (count == 0.0) return 1.0;
  const double doubt = kBenefitOfTheDoubt * promised / count;
  return std::min(1.0, (doubt + risen) / (doubt + due));
}

}  // namespace cmbo::decide
