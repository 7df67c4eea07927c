// SPDX-License-Identifier: Apache-2.0
#include "cli/replay_report.h"

#include <fmt/format.h>

#include "cli/text.h"

namespace cmbo::cli {

namespace {

using replay::MethodResult;

std::vector<std::string> row_of(const MethodResult& result) {
  const std::string spread =
      result.regret_std ? fmt::format("{:.2f}", 100.0 * *result.regret_std) : "–";
  return {result.method,
          fmt::format("{:.2f} ± {}", 100.0 * result.regret_mean, spread),
          fmt::format("{:.2f}", result.rank),
          fmt::format("{:.2f}", 100.0 * result.best_on_path),
          fmt::format("{:.1f}", result.steps),
          fmt::format("{:.3g}", result.ms_per_decision),
          plural(result.seeds, "run")};
}

}  // namespace

std::string replay_tables(std::span<const MethodResult> results, size_t width) {
  std::string text;
  for (size_t i = 0; i < results.size();) {
    const MethodResult& first = results[i];
    text += fmt::format("{} · {} · α = {}\n\n", first.benchmark, plural(first.tasks.size(), "task"),
                        first.alpha);
    TextTable table(
        {"method", "regret ×100", "rank", "best on path", "steps", "ms/decision", "each task"});
    for (; i < results.size() && results[i].benchmark == first.benchmark &&
           results[i].alpha == first.alpha;
         ++i) {
      table.add(row_of(results[i]));
    }
    text += table.render(width) + "\n";
  }
  return text;
}

Json replay_to_json(std::span<const MethodResult> results) {
  Json list = Json::array();
  for (const MethodResult& result : results) {
    Json tasks = Json::array();
    for (const replay::TaskResult& task : result.tasks) {
      tasks.push_back({{"task", task.task},
                       {"regret", task.regret},
                       {"best_on_path", task.best_on_path},
                       {"steps", task.steps},
                       {"rank", task.rank}});
    }
    const Json spread = result.regret_std ? Json(*result.regret_std) : Json(nullptr);
    list.push_back({{"benchmark", result.benchmark},
                    {"method", result.method},
                    {"alpha", result.alpha},
                    {"seeds", result.seeds},
                    {"regret", {{"mean", result.regret_mean}, {"std", spread}}},
                    {"best_on_path", result.best_on_path},
                    {"rank", result.rank},
                    {"steps", result.steps},
                    {"ms_per_decision", result.ms_per_decision},
                    {"tasks", tasks}});
  }
  return {{"results", list}};
}

std::string stops_table(std::span<const replay::SweptStop> stops, size_t width) {
  std::string text;
  for (size_t i = 0; i < stops.size();) {
    const replay::SweptStop& first = stops[i];
    text += fmt::format("{} · {} · α = {}\n\n", first.benchmark, first.method, first.alpha);
    TextTable table({"stopping rule", "regret ×100", "steps"});
    for (; i < stops.size() && stops[i].benchmark == first.benchmark &&
           stops[i].method == first.method && stops[i].alpha == first.alpha;
         ++i) {
      table.add({stops[i].rule, fmt::format("{:.2f}", 100.0 * stops[i].regret),
                 fmt::format("{:.1f}", stops[i].steps)});
    }
    text += table.render(width) + "\n";
  }
  return text;
}

Json stops_to_json(std::span<const replay::SweptStop> stops) {
  Json list = Json::array();
  for (const replay::SweptStop& stop : stops) {
    list.push_back({{"benchmark", stop.benchmark},
                    {"method", stop.method},
                    {"alpha", stop.alpha},
                    {"rule", stop.rule},
                    {"regret", stop.regret},
                    {"steps", stop.steps}});
  }
  return {{"stops", list}};
}

}  // namespace cmbo::cli
