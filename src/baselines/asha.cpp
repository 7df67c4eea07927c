// SPDX-License-Identifier: Apache-2.0
#include "baselines/asha.h"

#include <algorithm>

#include "base/check.h"
#include "baselines/order.h"

namespace cmbo::baselines {

namespace {

using decide::History;

std::vector<uint32_t> make_rungs(size_t horizon, uint32_t eta) {
  std::vector<uint32_t> rungs;
  for (uint64_t epochs = 1; epochs < horizon; epochs *= eta) {
    rungs.push_back(static_cast<uint32_t>(epochs));
  }
  rungs.push_back(static_cast<uint32_t>(horizon));
  return rungs;
}

// Those that completed `epochs`, the best at that epoch first; equal ones by their place.
std::vector<uint32_t> ranked_at(const History& history, uint32_t epochs) {
  std::vector<uint32_t> completed;
  for (uint32_t n = 0; n < history.size(); ++n) {
    if (history.epochs(n) >= epochs) completed.push_back(n);
  }
  const auto value = [&](uint32_t n) { return history.curves().curve(n)[epochs - 1]; };
  std::stable_sort(completed.begin(), completed.end(),
                   [&](uint32_t a, uint32_t b) { return value(a) > value(b); });
  return completed;
}

}  // namespace

Asha::Asha(const AshaOptions& options) : options_(options) {
  CHECK(options.eta >= 2, "rungs must grow");
}

void Asha::prepare(const History& history) {
  if (order_.size() == history.size()) return;
  rungs_ = make_rungs(history.curves().horizon, options_.eta);
  order_ = random_order(history.size(), options_.seed);
}

// A configuration between two rungs.
std::optional<uint32_t> Asha::under_way(const History& history) const {
  for (uint32_t n = 0; n < history.size(); ++n) {
    const uint32_t epochs = history.epochs(n);
    if (epochs == 0 || !history.is_candidate(n)) continue;
    if (!std::binary_search(rungs_.begin(), rungs_.end(), epochs)) return n;
  }
  return std::nullopt;
}

std::optional<uint32_t> Asha::promotable(const History& history) const {
  for (size_t k = rungs_.size() - 1; k-- > 0;) {
    const std::vector<uint32_t> ranked = ranked_at(history, rungs_[k]);
    for (size_t i = 0; i < ranked.size() / options_.eta; ++i) {
      const uint32_t n = ranked[i];
      if (history.epochs(n) == rungs_[k] && history.is_candidate(n)) return n;
    }
  }
  return std::nullopt;
}

std::optional<uint32_t> Asha::unstarted(const History& history) const {
  const auto next = std::find_if(order_.begin(), order_.end(), [&](uint32_t n) {
    return history.epochs(n) == 0 && history.is_candidate(n);
  });
  return next == order_.end() ? std::nullopt : std::optional(*next);
}

Result<decide::Choice> Asha::choose(const History& history) {
  prepare(history);
  std::optional<uint32_t> next = under_way(history);
  if (!next) next = promotable(history);
  if (!next) next = unstarted(history);
  decide::Choice choice;
  choice.configuration = next ? *next : best_unfinished(history);
  return choice;
}

}  // namespace cmbo::baselines
