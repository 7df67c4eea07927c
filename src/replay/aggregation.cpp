// SPDX-License-Identifier: Apache-2.0
#include "replay/aggregation.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "replay/grouping.h"

namespace cmbo::replay {

namespace {

// Means of equal regrets over different numbers of seeds differ by their rounding.
constexpr double kEqual = 1e-12;

double mean(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

template <typename Figure>
double mean_of(const Runs& runs, Figure figure) {
  double sum = 0.0;
  for (const RunRecord* run : runs) sum += figure(run->outcome);
  return sum / static_cast<double>(runs.size());
}

// The runs by `key`, the groups in the order in which their keys first appear.
template <typename Key>
std::vector<Runs> grouped(std::span<const RunRecord* const> runs, Key key) {
  std::vector<Runs> groups;
  for (const RunRecord* run : runs) {
    const auto group = std::find_if(groups.begin(), groups.end(), [&](const Runs& members) {
      return key(members.front()->key) == key(run->key);
    });
    if (group == groups.end()) {
      groups.push_back({run});
    } else {
      group->push_back(run);
    }
  }
  return groups;
}

// nullopt for one seed.
std::optional<double> spread_over_seeds(const Runs& runs, size_t& seeds) {
  std::vector<double> means;
  for (const Runs& seed : grouped(runs, [](const RunKey& key) { return key.seed; })) {
    means.push_back(mean_of(seed, [](const RunOutcome& run) { return run.regret(); }));
  }
  seeds = means.size();
  if (seeds < 2) return std::nullopt;
  const double center = mean(means);
  double sum = 0.0;
  for (const double value : means) sum += (value - center) * (value - center);
  return std::sqrt(sum / static_cast<double>(seeds - 1));
}

TaskResult task_result(const Runs& runs) {
  TaskResult result{.task = runs.front()->key.task};
  result.regret = mean_of(runs, [](const RunOutcome& run) { return run.regret(); });
  result.best_on_path = mean_of(runs, [](const RunOutcome& run) { return run.best_on_path(); });
  result.steps =
      mean_of(runs, [](const RunOutcome& run) { return static_cast<double>(run.steps.size()); });
  return result;
}

double milliseconds_per_decision(const Runs& runs) {
  double seconds = 0.0, decisions = 0.0;
  for (const RunRecord* run : runs) {
    seconds += run->outcome.decision_seconds;
    decisions += static_cast<double>(run->outcome.decisions);
  }
  return decisions > 0 ? 1000.0 * seconds / decisions : 0.0;
}

// All but the ranks, which need the other methods.
MethodResult method_result(const Runs& runs) {
  const RunKey& key = runs.front()->key;
  MethodResult result{.benchmark = key.benchmark, .method = key.method, .alpha = key.alpha};
  for (const Runs& task : grouped(runs, [](const RunKey& k) { return k.task; })) {
    result.tasks.push_back(task_result(task));
  }
  result.regret_std = spread_over_seeds(runs, result.seeds);
  result.ms_per_decision = milliseconds_per_decision(runs);
  return result;
}

double mean_over_tasks(const MethodResult& result, double TaskResult::*figure) {
  std::vector<double> values;
  for (const TaskResult& task : result.tasks) values.push_back(task.*figure);
  return mean(values);
}

// Ranks of methods that share benchmark and alpha, on every task.
void rank_tasks(std::span<MethodResult> results) {
  std::map<std::string, std::vector<TaskResult*>> by_task;
  for (MethodResult& result : results) {
    for (TaskResult& task : result.tasks) by_task[task.task].push_back(&task);
  }
  for (auto& [name, entries] : by_task) {
    std::vector<double> regrets;
    for (const TaskResult* entry : entries) regrets.push_back(entry->regret);
    const std::vector<double> places = ranks(regrets);
    for (size_t i = 0; i < entries.size(); ++i) entries[i]->rank = places[i];
  }
}

}  // namespace

std::vector<double> ranks(std::span<const double> values) {
  std::vector<double> places;
  for (const double value : values) {
    double smaller = 0.0, equal = 0.0;
    for (const double other : values) {
      smaller += other < value - kEqual ? 1.0 : 0.0;
      equal += std::abs(other - value) <= kEqual ? 1.0 : 0.0;
    }
    places.push_back(smaller + (equal + 1.0) / 2.0);
  }
  return places;
}

std::vector<MethodResult> aggregate(std::span<const RunRecord* const> runs) {
  std::vector<MethodResult> results;
  for (const Runs& setting :
       grouped(runs, [](const RunKey& key) { return std::pair(key.benchmark, key.alpha); })) {
    const size_t begin = results.size();
    for (const Runs& method : grouped(setting, [](const RunKey& key) { return key.method; })) {
      results.push_back(method_result(method));
    }
    rank_tasks(std::span(results).subspan(begin));
  }
  for (MethodResult& result : results) {
    result.regret_mean = mean_over_tasks(result, &TaskResult::regret);
    result.best_on_path = mean_over_tasks(result, &TaskResult::best_on_path);
    result.rank = mean_over_tasks(result, &TaskResult::rank);
    result.steps = mean_over_tasks(result, &TaskResult::steps);
  }
  return results;
}

}  // namespace cmbo::replay
