// SPDX-License-Identifier: Apache-2.0
#include "cli/gc_report.h"

#include <fmt/format.h>

#include "cli/study_text.h"
#include "cli/text.h"
#include "cli/tune_view.h"

namespace cmbo::cli {

namespace {

uint64_t freed_bytes(const study::EvictionPlan& plan) {
  uint64_t bytes = 0;
  for (const study::Eviction& eviction : plan.evictions) bytes += eviction.bytes;
  return bytes;
}

bool can_go_on(const StudyView& view, uint32_t trial) {
  return view.facts.trials()[trial].state == study::TrialState::kFrozen;
}

}  // namespace

std::vector<double> gains_of(const study::Facts& facts,
                             std::span<const study::DecisionRecord> decisions) {
  std::vector<double> gains;
  for (size_t i = decisions.size(); i-- > 0;) {
    const Json& what = decisions[i].what;
    if (!what.contains("chosen")) continue;
    gains.assign(facts.trials().size(), 0.0);
    Json prospects = what.value("runners_up", Json::array());
    prospects.push_back(what["chosen"]);
    for (const Json& prospect : prospects) {
      const size_t trial = prospect.value("trial", gains.size());
      if (trial < gains.size()) gains[trial] = prospect.value("gain", 0.0);
    }
    break;
  }
  return gains;
}

std::string evictions_to_text(const StudyView& view, const study::EvictionPlan& plan, bool dry_run,
                              size_t width) {
  std::string text =
      fmt::format("checkpoints take {} of {}", bytes_text(plan.used), bytes_text(plan.quota));
  if (plan.evictions.empty()) return text + "; nothing has to go\n";
  text += fmt::format("; {} {}, {} in all:\n\n", dry_run ? "these would go" : "gone are",
                      plural(plan.evictions.size(), "checkpoint"), bytes_text(freed_bytes(plan)));
  TextTable table({"trial", "state", "best " + view.file.metric.name, "size", "then"});
  for (const study::Eviction& eviction : plan.evictions) {
    const study::Trial& trial = view.facts.trials()[eviction.trial];
    const TrialView seen = trial_view(view, eviction.trial);
    table.add({fmt::format("{}  {}", trial.number, parameters_text(trial.parameters)),
               std::string(state_name(trial.state)), number_text(seen.best),
               bytes_text(eviction.bytes),
               can_go_on(view, eviction.trial) ? "cannot go on" : "as before"});
  }
  text += table.render(width);
  if (!plan.enough) text += "\nand still that is not enough: the others run, or are the best\n";
  return text;
}

Json evictions_to_json(const StudyView& view, const study::EvictionPlan& plan, bool dry_run) {
  Json evictions = Json::array();
  for (const study::Eviction& eviction : plan.evictions) {
    evictions.push_back({{"trial", eviction.trial},
                         {"bytes", eviction.bytes},
                         {"drops_trial", can_go_on(view, eviction.trial)}});
  }
  return {{"used", plan.used},          {"quota", plan.quota},
          {"dry_run", dry_run},         {"enough", plan.enough},
          {"freed", freed_bytes(plan)}, {"evictions", std::move(evictions)}};
}

}  // namespace cmbo::cli
