// SPDX-License-Identifier: Apache-2.0
#include "decide/cmbo_policy.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

#include "base/check.h"

namespace cmbo::decide {

namespace {

constexpr size_t kRunnersUp = 5;
constexpr size_t kFutures = 16;        // that a choice tells of
constexpr double kWorthGoingOn = 0.5;  // of what the best that has begun promises

std::vector<uint32_t> affordable_candidates(const History& history, const Budget& budget) {
  std::vector<uint32_t> open = history.candidates();
  std::erase_if(open,
                [&](uint32_t n) { return !budget.allows(history.spent() + budget.epoch_cost(n)); });
  return open;
}

// The places of the best scores, best first; among equals the first.
std::vector<size_t> best_places(const std::vector<double>& scores, size_t count) {
  std::vector<size_t> places(scores.size());
  std::iota(places.begin(), places.end(), size_t{0});
  count = std::min(count, places.size());
  std::partial_sort(
      places.begin(), places.begin() + static_cast<ptrdiff_t>(count), places.end(),
      [&](size_t a, size_t b) { return scores[a] != scores[b] ? scores[a] > scores[b] : a < b; });
  places.resize(count);
  return places;
}

void put_first(size_t place, std::vector<size_t>& places) {
  places.erase(std::remove(places.begin(), places.end(), place), places.end());
  places.insert(places.begin(), place);
}

// Those of some places of `samples`.
forecast::Samples futures_at(const forecast::Samples& samples, std::vector<size_t> places) {
  std::sort(places.begin(), places.end());
  forecast::Samples some;
  some.horizon = samples.horizon;
  some.count = samples.count;
  const size_t length = samples.horizon * samples.count;
  for (const size_t place : places) {
    some.asked.push_back(samples.asked[place]);
    some.lengths.push_back(samples.lengths[place]);
    const auto begin = samples.values.begin() + static_cast<ptrdiff_t>(place * length);
    some.values.insert(some.values.end(), begin, begin + static_cast<ptrdiff_t>(length));
  }
  return some;
}

// Whether the last `patience` steps were all first epochs.
bool only_started(const History& history, size_t patience) {
  const auto steps = history.steps();
  if (patience == 0 || steps.size() < patience) return false;
  return std::all_of(steps.end() - static_cast<ptrdiff_t>(patience), steps.end(), is_start);
}

// Whether no configuration was trained as far as `depth` wants it after so many steps.
bool too_shallow(const History& history, double depth) {
  const auto steps = history.steps();
  uint32_t furthest = 0;
  for (const Step& step : steps) furthest = std::max(furthest, step.epoch);
  const double wanted = std::min(depth * std::sqrt(static_cast<double>(steps.size())),
                                 static_cast<double>(history.curves().horizon));
  return static_cast<double>(furthest) < wanted;
}

// Of the configurations that have begun, those that promise at least half as much as the best of
// them: the place of the one that was trained furthest, and among these of the best score.
std::optional<size_t> furthest_begun(const History& history, std::span<const uint32_t> asked,
                                     const std::vector<double>& scores) {
  const auto begun = [&](size_t q) { return history.epochs(asked[q]) > 0 && scores[q] > 0.0; };
  double best = 0.0;
  for (size_t q = 0; q < asked.size(); ++q) {
    if (begun(q)) best = std::max(best, scores[q]);
  }
  std::optional<size_t> furthest;
  for (size_t q = 0; q < asked.size(); ++q) {
    if (!begun(q) || scores[q] < kWorthGoingOn * best) continue;
    const auto key = [&](size_t at) { return std::pair(history.epochs(asked[at]), scores[at]); };
    if (!furthest || key(q) > key(*furthest)) furthest = q;
  }
  return furthest;
}

// The look that is worth most at one of these places.
Look best_look(const forecast::Samples& samples, std::span<const size_t> places,
               const Standing& standing, const CmboOptions& options, const Kept& kept) {
  std::optional<Look> best;
  for (const size_t place : places) {
    Look look = look_at(samples, place, standing, options.utility, options.budget);
    look.gain *= kept.of(samples.lengths[place] == 0);
    if (!best || look.worth() > best->worth()) best = look;
  }
  return *best;
}

uint32_t epochs_to_commit(const Prospect& prospect, double commitment) {
  const double share = commitment * (static_cast<double>(prospect.horizon) + 1.0);
  return std::max(1U, static_cast<uint32_t>(std::ceil(share)));
}

}  // namespace

CmboPolicy::CmboPolicy(Extrapolator extrapolator, CmboOptions options)
    : extrapolator_(std::move(extrapolator)),
      options_(std::move(options)),
      hindsight_(extrapolator_, options_.utility, options_.budget) {}

Result<Choice> CmboPolicy::choose(const History& history) {
  const std::vector<uint32_t> asked = affordable_candidates(history, options_.budget);
  if (asked.empty()) return Error("no epoch fits into the budget; raise it");
  CMBO_TRY(const forecast::Samples samples, extrapolator_(history.curves(), asked));
  CHECK(samples.asked == asked && samples.count > 0, "an extrapolator answers what it is asked");
  const Standing standing = standing_of(history, options_.utility);
  std::vector<Prospect> all = prospects(samples, standing, options_.utility, options_.budget);
  Choice choice;
  if (options_.hindsight) {
    CMBO_TRY(choice.kept, hindsight_.kept(history, all));
  }
  const bool blind = options_.acquisition == Acquisition::kExpectedImprovement;
  std::vector<double> scores =
      blind ? final_improvements(samples, standing.best) : std::vector<double>(all.size());
  for (size_t q = 0; q < all.size(); ++q) {
    const double share = choice.kept.of(history.epochs(asked[q]) == 0);
    all[q].acquisition *= share;
    scores[q] = blind ? share * scores[q] : all[q].acquisition;
  }
  std::vector<size_t> places = best_places(scores, kFutures);
  choice.futures = futures_at(samples, places);
  const size_t most_promising = places[0];
  if (only_started(history, options_.patience) || too_shallow(history, options_.depth)) {
    if (const auto begun = furthest_begun(history, asked, scores)) put_first(*begun, places);
    choice.on_guard = places[0] != most_promising;
  }
  choice.look = best_look(samples, places, standing, options_, choice.kept);
  places.resize(std::min(places.size(), 1 + kRunnersUp));
  for (const size_t place : places) {
    all[place].chance = choice.kept.all * probability_of_gain(samples, place, standing,
                                                              options_.utility, options_.budget);
    all[place].final_median = final_median(samples, place);
  }
  choice.prospect = all[places[0]];
  choice.configuration = choice.prospect->configuration;
  choice.epochs = epochs_to_commit(*choice.prospect, options_.commitment);
  choice.probability = all[most_promising].chance;
  for (size_t i = 1; i < places.size(); ++i) choice.runners_up.push_back(all[places[i]]);
  return choice;
}

}  // namespace cmbo::decide
