// SPDX-License-Identifier: Apache-2.0
#include "decide/hindsight.h"

#include <algorithm>
#include <utility>

#include "decide/acquisition.h"

namespace cmbo::decide {

namespace {

constexpr double kStartsOnTrust = 3.0;  // c of fresh configurations
constexpr double kMostKept = 2.0;       // by one start
constexpr double kLeastKept = 0.05;     // by all steps
constexpr size_t kRemembered = 20;      // starts
constexpr size_t kWindow = 150;         // steps
constexpr size_t kEvery = 10;           // of them is judged

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
bool is_judged(size_t place, size_t steps) {
  return place > 0 && place + kWindow >= steps && place % kEvery == 0;
}

// The configurations of two steps, if they are there, that can be trained further; ascending.
std::vector<uint32_t> unfinished(const History& history, const Step* one, const Step* other) {
  std::vector<uint32_t> open;
  for (const Step* step : {one, other}) {
    if (step != nullptr && !history.finished(step->configuration)) {
      open.push_back(step->configuration);
    }
  }
  std::sort(open.begin(), open.end());
  open.erase(std::unique(open.begin(), open.end()), open.end());
  return open;
}

}  // namespace

Hindsight::Hindsight(Extrapolator extrapolator, Utility utility, Budget budget)
    : extrapolator_(std::move(extrapolator)),
      utility_(std::move(utility)),
      budget_(std::move(budget)) {}

Result<Kept> Hindsight::kept(const History& history, std::span<const Prospect> now) {
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
  double promised = 0.0;
  for (const Prospect& prospect : now) {
    const bool fresh = history.epochs(prospect.configuration) == 0;
    promised = std::max(promised, (fresh ? kept.fresh : 1.0) * prospect.acquisition);
  }
  kept.all = kept_by_all(kept.fresh, promised);
  return kept;
}

Status Hindsight::look_back(const History& history, size_t first) {
  const auto steps = history.steps();
  const size_t first_start = first_remembered_start(steps);
  const auto counts = [&](size_t place) {
    return is_judged(place, steps.size()) || (is_start(steps[place]) && place >= first_start);
  };
  History past(history.curves());
  utilities_.clear();
  const Step* started = nullptr;  // the latest, if what is left of its promise is to be asked
  for (size_t place = 0; place <= steps.size(); ++place) {
    const Standing now = standing_of(past, utility_);
    utilities_.push_back(now.utility);
    const Step* next = place < steps.size() ? &steps[place] : nullptr;
    const Step* promising = next != nullptr && place >= first && counts(place) ? next : nullptr;
    forecast::Samples samples;
    if (const auto asked = unfinished(past, started, promising); !asked.empty()) {
      CMBO_TRY(samples, extrapolator_(past.curves(), asked));
    }
    const auto prospect_of = [&](const Step& step, double latest_utility) {
      const Standing standing{now.spent, now.best, latest_utility};
      for (const Prospect& prospect : prospects(samples, standing, utility_, budget_)) {
        if (prospect.configuration == step.configuration) return prospect;
      }
      return Prospect{};  // finished
    };
    if (started != nullptr) {
      const double before = utilities_[place - 1];
      promises_.back().left =
          std::max(now.utility - before, prospect_of(*started, before).acquisition);
    }
    started = promising != nullptr && is_start(*promising) ? promising : nullptr;
    if (promising != nullptr) {
      const Prospect prospect = prospect_of(*promising, now.utility);
      promises_.push_back({place, started != nullptr, prospect.acquisition, prospect.horizon + 1});
    }
    if (next != nullptr) past.add(next->configuration, next->value, next->cost);
  }
  return {};
}

double Hindsight::kept_by_fresh(size_t first_start) const {
  double kept = kStartsOnTrust, starts = kStartsOnTrust;
  for (const Promise& promise : promises_) {
    if (!promise.fresh || promise.step < first_start || promise.gain <= 0.0) continue;
    kept += std::min(kMostKept, promise.left / promise.gain);
    starts += 1.0;
  }
  return std::min(1.0, kept / starts);
}

double Hindsight::kept_by_all(double fresh, double promised) const {
  if (promised <= 0.0) return 1.0;  // nothing to be held to
  const size_t steps = utilities_.size() - 1;
  double due = promised, risen = promised;
  for (const Promise& promise : promises_) {
    if (!is_judged(promise.step, steps) || promise.gain <= 0.0) continue;
    const double gain = std::min(promised, (promise.fresh ? fresh : 1.0) * promise.gain);
    const size_t passed = std::min<size_t>(steps - promise.step, promise.epochs);
    const auto since = utilities_.begin() + static_cast<ptrdiff_t>(promise.step);
    const double best = *std::max_element(since, since + static_cast<ptrdiff_t>(passed) + 1);
    due += gain * static_cast<double>(passed) / static_cast<double>(promise.epochs);
    risen += std::min(gain, best - *since);
  }
  const double share = std::min(1.0, risen / due);
  return std::max(kLeastKept, share * share);
}

}  // namespace cmbo::decide
