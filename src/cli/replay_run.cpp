// SPDX-License-Identifier: Apache-2.0
#include "cli/replay_run.h"

#include <atomic>
#include <fmt/format.h>
#include <map>
#include <mutex>
#include <optional>
#include <tuple>

#include "base/check.h"
#include "base/thread_pool.h"
#include "cli/interrupt.h"
#include "cli/progress_bar.h"
#include "replay/memory.h"
#include "replay/run.h"

namespace cmbo::cli {

namespace {

// A decision of a model takes about as long as so many of a method without one; only the estimate
// of the time left depends on it.
constexpr uint64_t kModelWeight = 1000;

class Runner {
 public:
  Runner(const ReplayOptions& options, replay::RunLog& log, Context& context)
      : options_(options),
        log_(log),
        context_(context),
        bar_(context.terminal, context.clock, "replaying") {}

  Result<bool> execute(const ReplayPlan& plan) {
    const std::vector<Group> pending = groups_of(pending_jobs(plan));
    ThreadPool pool(options_.threads);
    pool.parallel_for(pending.size(), [&](size_t i) { work(pending[i]); });
    if (failure_) return *failure_;
    return finished_ == runs_;
  }

 private:
  // Jobs that one policy can do, one after the other.
  using Group = std::vector<const ReplayJob*>;

  std::vector<const ReplayJob*> pending_jobs(const ReplayPlan& plan) {
    std::vector<const ReplayJob*> pending;
    for (const ReplayJob& job : plan.jobs) {
      if (log_.find(job.key) != nullptr) continue;
      pending.push_back(&job);
      total_ += weight(job) * options_.budget;
    }
    runs_ = pending.size();
    return pending;
  }

  // In the order of their first jobs.
  static std::vector<Group> groups_of(const std::vector<const ReplayJob*>& jobs) {
    std::vector<Group> groups;
    std::map<std::tuple<const ReplayTask*, const replay::Method*, uint64_t>, size_t> shared;
    for (const ReplayJob* job : jobs) {
      const auto [place, is_new] =
          shared.emplace(std::tuple(job->task, job->method, job->key.seed), groups.size());
      if (is_new || job->method->uses_utility) {
        groups.push_back({job});
      } else {
        groups[place->second].push_back(job);
      }
    }
    return groups;
  }

  static uint64_t weight(const ReplayJob& job) {
    return job.method->needs_model || job.method->needs_prior_model ? kModelWeight : 1;
  }

  bool leave() const { return leaving_ || guard_.interrupted(); }

  void work(const Group& group) {
    if (leave()) return;
    // Where several jobs share a policy, it does not look at the utility.
    const auto utility = decide::Utility::linear(group.front()->key.alpha);
    CHECK(utility.ok(), "a plan has sensible prices");
    replay::Memory memory(group.front()->method->make(problem_of(*group.front(), *utility)),
                          context_.clock);
    for (const ReplayJob* job : group) work(*job, memory);
  }

  void work(const ReplayJob& job, replay::Memory& memory) {
    if (leave()) return;
    uint64_t counted = 0;
    auto outcome = run(job, memory, counted);
    const std::scoped_lock lock(mutex_);
    const Status kept = keep(job, std::move(outcome));
    if (!kept.ok() && !failure_) failure_ = kept.error();
    leaving_ = leaving_ || failure_.has_value();
    advance(weight(job) * options_.budget - counted);
  }

  Result<std::optional<replay::RunOutcome>> run(const ReplayJob& job, replay::Memory& memory,
                                                uint64_t& counted) {
    CMBO_TRY(const decide::Utility utility, decide::Utility::linear(job.key.alpha));
    const replay::RunSettings settings{.table = *job.task->table,
                                       .utility = utility,
                                       .loop = {.budget = static_cast<double>(options_.budget),
                                                .stopping = options_.stopping,
                                                .epoch_costs = {}},
                                       .clock = context_.clock,
                                       .proceed = [&] { return count_step(job, counted); }};
    CMBO_TRY(std::optional<replay::RunOutcome> outcome, replay::run(settings, memory));
    const double saved = memory.take_saved_seconds();
    if (outcome) outcome->decision_seconds += saved;
    return outcome;
  }

  static const network::Model* weights_of(const LoadedModel* loaded) {
    return loaded == nullptr ? nullptr : &loaded->model;
  }

  replay::Problem problem_of(const ReplayJob& job, const decide::Utility& utility) const {
    return {.pool = *job.task->table,
            .utility = utility,
            .budget = static_cast<double>(options_.budget),
            .seed = job.key.seed,
            .acquisition = options_.acquisition == "ei" ? decide::Acquisition::kExpectedImprovement
                                                        : decide::Acquisition::kUtility,
            .commitment = options_.commitment,
            .patience = options_.patience,
            .sampling = {.sampling = *forecast::sampling_of(options_.samples)},
            .model = weights_of(job.task->model),
            .prior_model = weights_of(job.task->prior_model),
            .training_tables = job.task->training_tables};
  }

  // Before each decision; whether to make it.
  bool count_step(const ReplayJob& job, uint64_t& counted) {
    if (leave()) return false;
    if (counted >= weight(job) * options_.budget) return true;
    const std::scoped_lock lock(mutex_);
    counted += weight(job);
    advance(weight(job));
    return true;
  }

  Status keep(const ReplayJob& job, Result<std::optional<replay::RunOutcome>> outcome) {
    if (!outcome.ok()) {
      return outcome.error().within(fmt::format("{} on '{}'", job.key.method, job.key.task));
    }
    if (!outcome->has_value()) return {};  // interrupted
    CMBO_RETURN_IF_ERROR(log_.add({job.key, std::move(**outcome)}));
    ++finished_;
    return {};
  }

  void advance(uint64_t units) {
    done_ += units;
    bar_.update(done_, total_, fmt::format("{} of {} runs", finished_, runs_));
  }

  const ReplayOptions& options_;
  replay::RunLog& log_;
  Context& context_;
  const InterruptGuard guard_;
  std::atomic<bool> leaving_ = false;
  std::mutex mutex_;  // guards what follows, and log_
  ProgressBar bar_;
  uint64_t done_ = 0, total_ = 0;
  size_t finished_ = 0, runs_ = 0;
  std::optional<Error> failure_;
};

}  // namespace

Result<bool> run_jobs(const ReplayPlan& plan, const ReplayOptions& options, replay::RunLog& log,
                      Context& context) {
  return Runner(options, log, context).execute(plan);
}

}  // namespace cmbo::cli
