// SPDX-License-Identifier: Apache-2.0
#include "cli/replay_run.h"

#include <atomic>
#include <fmt/format.h>
#include <functional>
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

class Runner {
 public:
  Runner(const ReplayOptions& options, replay::RunLog& log, Context& context)
      : options_(options),
        log_(log),
        context_(context),
        bar_(context.terminal, context.clock, "replaying") {}

  Result<bool> execute(const ReplayPlan& plan) {
    const std::vector<Group> pending = pending_groups(plan);
    ThreadPool pool(options_.threads);
    pool.parallel_for(pending.size(), [&](size_t i) { work(pending[i]); });
    if (failure_) return *failure_;
    return finished_ == runs_;
  }

 private:
  // What one policy does, one after the other. What it remembers of an earlier job costs nothing.
  struct Turn {
    const ReplayJob& job;
    uint64_t weight;  // of a step
  };
  using Group = std::vector<Turn>;

  // In the order of their first jobs.
  std::vector<Group> pending_groups(const ReplayPlan& plan) {
    std::vector<Group> groups;
    std::map<std::tuple<const ReplayTask*, const replay::Method*, uint64_t>, size_t> shared;
    for (const ReplayJob& job : plan.jobs) {
      if (log_.find(job.key) != nullptr) continue;
      const auto [place, is_new] =
          shared.emplace(std::tuple(job.task, job.method, job.key.seed), groups.size());
      const bool alone = is_new || job.method->uses_utility;
      if (alone) groups.emplace_back();
      const Turn turn{job, alone ? job.method->weight : 1};
      (alone ? groups.back() : groups[place->second]).push_back(turn);
      total_ += turn.weight * options_.budget;
      ++runs_;
    }
    return groups;
  }

  bool leave() const { return leaving_ || guard_.interrupted(); }

  void work(const Group& group) {
    if (leave()) return;
    // Where several jobs share a policy, it does not look at the utility.
    const ReplayJob& first = group.front().job;
    const auto utility = decide::Utility::linear(first.key.alpha);
    CHECK(utility.ok(), "a plan has sensible prices");
    auto policy = first.method->make(problem_of(first, *utility));
    if (first.method->uses_utility) {
      CHECK(group.size() == 1, "each price has its own path");
      work(group.front(), *policy, [] { return 0.0; });
      return;
    }
    replay::Memory memory(std::move(policy), context_.clock);
    for (const Turn& turn : group) {
      work(turn, memory, [&] { return memory.take_saved_seconds(); });
    }
  }

  // `saved_seconds`: of decisions that the policy remembered.
  void work(const Turn& turn, decide::Policy& policy,
            const std::function<double()>& saved_seconds) {
    if (leave()) return;
    uint64_t counted = 0;
    auto outcome = run(turn, policy, counted);
    const double saved = saved_seconds();
    if (outcome.ok() && outcome->has_value()) (*outcome)->decision_seconds += saved;
    const std::scoped_lock lock(mutex_);
    const Status kept = keep(turn.job, std::move(outcome));
    if (!kept.ok() && !failure_) failure_ = kept.error();
    leaving_ = leaving_ || failure_.has_value();
    advance(turn.weight * options_.budget - counted);
  }

  Result<std::optional<replay::RunOutcome>> run(const Turn& turn, decide::Policy& policy,
                                                uint64_t& counted) {
    CMBO_TRY(const decide::Utility utility, decide::Utility::linear(turn.job.key.alpha));
    const replay::RunSettings settings{.table = *turn.job.task->table,
                                       .utility = utility,
                                       .loop = {.budget = static_cast<double>(options_.budget),
                                                .stopping = options_.stopping,
                                                .epoch_costs = {}},
                                       .clock = context_.clock,
                                       .proceed = [&] { return count_step(turn, counted); }};
    return replay::run(settings, policy);
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
            .depth = options_.depth,
            .hindsight = options_.hindsight,
            .sampling = {.sampling = *forecast::sampling_of(options_.samples),
                         .count = options_.curves},
            .model = weights_of(job.task->model),
            .prior_model = weights_of(job.task->prior_model),
            .training_tables = job.task->training_tables};
  }

  // Before each decision; whether to make it.
  bool count_step(const Turn& turn, uint64_t& counted) {
    if (leave()) return false;
    if (counted >= turn.weight * options_.budget) return true;
    const std::scoped_lock lock(mutex_);
    counted += turn.weight;
    advance(turn.weight);
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
