// SPDX-License-Identifier: Apache-2.0
#include "replay/stop_sweep.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <limits>

#include "replay/grouping.h"

namespace cmbo::replay {

namespace {

// Adds up what stopping each run after steps_of(run) steps comes to.
template <typename StepsOf>
void add_means(const Runs& runs, const StepsOf& steps_of, SweptStop& stop) {
  const auto count = static_cast<double>(runs.size());
  for (const RunRecord* run : runs) {
    const size_t steps = steps_of(*run);
    stop.regret += run->outcome.steps[steps - 1].regret / count;
    stop.steps += static_cast<double>(steps) / count;
  }
}

void sweep(const Runs& runs, const SweptStop& empty, std::vector<SweptStop>& results) {
  for (const NamedRule& named : rules_to_sweep()) {
    SweptStop& stop = results.emplace_back(empty);
    stop.rule = named.name;
    if (named.rule.by == decide::StopBy::kRegret) stop.beta = named.rule.beta;
    add_means(
        runs, [&](const RunRecord& run) { return steps_until_stop(run, named.rule); }, stop);
  }
  SweptStop& stop = results.emplace_back(empty);
  stop.rule = "best on path";
  add_means(
      runs, [](const RunRecord& run) { return run.outcome.best_stop(); }, stop);
}

}  // namespace

std::vector<NamedRule> rules_to_sweep() {
  std::vector<NamedRule> rules;
  const auto add_beta = [&](const char* name, double beta) {
    rules.push_back(
        {fmt::format("paper, β {}", name), {.beta = beta, .by = decide::StopBy::kRegret}});
  };
  add_beta("→ 0", 0.0);
  add_beta("= e^-2", std::exp(-2.0));
  add_beta("= e^-1", std::exp(-1.0));
  add_beta("= 1", 1.0);
  add_beta("= e^3", std::exp(3.0));
  add_beta("→ ∞", std::numeric_limits<double>::infinity());
  rules.push_back({kLookRule, {.by = decide::StopBy::kLook}});
  return rules;
}

bool can_be_swept(const RunRecord& run) {
  const auto stop = run.key.conditions.find("stop");
  const bool went_on = stop != run.key.conditions.end() && *stop == false;
  return went_on && !run.outcome.steps.empty() &&
         !std::isnan(run.outcome.steps.front().probability);
}

size_t steps_until_stop(const RunRecord& run, const decide::StoppingRule& rule) {
  const std::vector<StepRecord>& steps = run.outcome.steps;
  for (size_t done = 1; done < steps.size(); ++done) {
    const StepRecord& next = steps[done];
    decide::StoppingEvidence evidence;
    evidence.regret = next.estimated_regret;
    evidence.threshold = decide::threshold(rule, next.probability);
    if (!std::isnan(next.look_price)) {
      evidence.look = decide::Look{.price = next.look_price, .gain = next.look_gain};
    }
    if (decide::should_stop(rule, evidence)) return done;
  }
  return steps.size();
}

std::vector<SweptStop> sweep_stops(std::span<const RunRecord> runs) {
  std::vector<SweptStop> results;
  for (const Group& group : group_runs(runs)) {
    for (const auto& [method, all] : group.methods) {
      Runs whole;
      std::copy_if(all.begin(), all.end(), std::back_inserter(whole),
                   [](const RunRecord* run) { return can_be_swept(*run); });
      if (!whole.empty()) sweep(whole, {group.benchmark, method, group.alpha}, results);
    }
  }
  return results;
}

}  // namespace cmbo::replay
