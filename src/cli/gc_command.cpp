// SPDX-License-Identifier: Apache-2.0
//
// cmbo gc
#include <fmt/format.h>

#include "cli/command.h"
#include "cli/gc_report.h"
#include "cli/study_directory.h"
#include "runner/trial_directory.h"
#include "study/units.h"

namespace cmbo::cli {

namespace {

struct GcOptions {
  std::string study;
  std::string quota;  // "10 GB"; empty = limits.disk
  bool dry_run = false;
  bool json = false;
};

Result<uint64_t> quota_of(const GcOptions& options, const study::StudyFile& file) {
  if (!options.quota.empty()) {
    const auto quota = study::parse_bytes(options.quota);
    if (!quota.ok()) return quota.error().within("--quota");
    return quota;
  }
  if (file.limits.disk) return *file.limits.disk;
  return Error("the study has no limits.disk; say how much may stay with --quota \"1 GB\"");
}

// The record before the file: a crash in between leaves a useless file, and not a trial that
// would be thawed without its checkpoint.
Status evict_checkpoint(const Visit& visit, uint32_t number, study::Storage& storage) {
  study::Trial trial = visit.facts.trials()[number];
  trial.checkpoint_bytes.reset();
  if (trial.state == study::TrialState::kFrozen) {
    move_to(trial, study::TrialState::kDropped, "its checkpoint was evicted by cmbo gc");
  }
  CMBO_RETURN_IF_ERROR(storage.save(trial));
  return runner::remove_checkpoint(visit.paths.trial(number));
}

Status evict_all(const Visit& visit, const study::EvictionPlan& plan) {
  CMBO_TRY(const auto storage, storage::SqliteStorage::open(visit.paths.database()));
  for (const study::Eviction& eviction : plan.evictions) {
    CMBO_RETURN_IF_ERROR(evict_checkpoint(visit, eviction.trial, *storage));
  }
  return {};
}

Outcome run_gc(const GcOptions& options, Context& context) {
  CMBO_TRY(const Visit visit, visit_study(options.study, context));
  CMBO_TRY(const uint64_t quota, quota_of(options, visit.file));
  CMBO_TRY(const auto decisions, visit.storage->decisions());
  study::StudyFile file = visit.file;
  file.checkpoints.evict = true;  // whoever runs this wants it
  const study::EvictionPlan plan =
      study::plan_evictions(file, visit.facts, gains_of(visit.facts, decisions), quota);
  if (!options.dry_run && !plan.evictions.empty()) {
    if (const auto driver = driver_of(visit.paths)) {
      context.terminal.complain(fmt::format(
          "{} runs the study and evicts by itself what limits.disk demands; stop it first",
          driver_text(*driver)));
      return kTryAgain;
    }
    CMBO_RETURN_IF_ERROR(evict_all(visit, plan));
  }
  const StudyView view{visit.file, visit.facts};
  context.terminal.print(
      options.json ? evictions_to_json(view, plan, options.dry_run).dump(2) + "\n"
                   : evictions_to_text(view, plan, options.dry_run, context.terminal.out_width()));
  return plan.evictions.empty() ? kNothingToDo : kOk;
}

}  // namespace

void add_gc_command(CLI::App& app, Action& chosen) {
  add_command<GcOptions>(
      app, chosen, "gc", "remove checkpoints that are least likely to be needed", run_gc,
      [](CLI::App& command, GcOptions& options) {
        command.add_option("study", options.study, kStudyHelp)->required();
        command.add_option("--quota", options.quota,
                           "what checkpoints may take, like \"1 GB\"; limits.disk if not given");
        command.add_flag("--dry-run", options.dry_run, "only show what would go");
        command.add_flag("--json", options.json, "print as JSON");
      });
}

}  // namespace cmbo::cli
